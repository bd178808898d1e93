import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeline } from '../../../../src/charts/timeline/timeline.ts';
import type { ChartSpec } from '../../../../src/domain/chart-spec.ts';
import type { TrialReport } from '../../../../src/domain/trial.ts';
import { emptyTrial, event, exact, flow, pod, receipt, successor } from '../../metrics/example-trial.ts';
import { aggregateOf, publishedArms, reportOf } from '../../report/example-reports.ts';
import { busyReport, busyTrial, exampleInput } from '../example-input.ts';
import { boxOf, numbersIn, overlaps, textsOf } from '../spec-geometry.ts';

const [, drain] = publishedArms;

/** Flows and events are all that was seen. */
const { evidence, newConnections } = emptyTrial;

function draw(reports: readonly TrialReport[]): ChartSpec {
  const spec = timeline.draw(exampleInput('light', { aggregate: aggregateOf({ arms: [drain] }), reports }));
  if (spec === undefined) throw new Error('nothing was drawn');
  return spec;
}

const words = (spec: ChartSpec) => textsOf(spec).map(({ text }) => text.replaceAll('\u00a0', ' '));

const endingAt = (repeat: number, ms: number) =>
  busyReport(repeat, 'drain', { flows: [flow('tcp', { kind: 'drained-clean-close', at: exact(ms) })] });

describe('the timeline of an arm', () => {
  test('is that of the trial in the middle by last TCP end', () => {
    const reports = [endingAt(1, 25_113), endingAt(2, 25_043), endingAt(3, 25_029)];
    expect(words(draw(reports))[1]).toMatch(/ · trial 2, the median of 3 by last TCP end$/);
    expect(words(draw([endingAt(1, 25_113), endingAt(2, 25_029)]))[1]).toMatch(/ · trial 2, /);
  });

  test('is that of the first trial where the last TCP end was not measured', () => {
    const reports = [1, 2].map((repeat) => busyReport(repeat, 'drain', { flows: [] }));
    expect(words(draw(reports))[1]).toMatch(/ · trial 1, /);
  });

  test('takes no trial of another arm', () => {
    const input = exampleInput('light', {
      aggregate: aggregateOf({ arms: [drain] }),
      reports: [busyReport(1, 'ignore')],
    });
    expect(timeline.draw(input)).toBeUndefined();
  });

  test('shades the time from the last TCP end to the removal of the endpoint, across the lanes', () => {
    expect(words(draw([endingAt(1, 25_043)]))).toContain('dead-endpoint window 253 ms');
    expect(words(draw([endingAt(1, 25_400)])).join()).not.toMatch(/dead-endpoint/);
  });

  test('draws a time of receipt hollow, and one that was stamped where it happened filled', () => {
    const { datasets } = draw([endingAt(1, 25_043)]).config.data;
    const of = (label: string) => datasets.filter((dataset) => dataset.label === label);
    expect(of('pod').every(({ fill, stroke }) => fill === stroke)).toBe(true);
    expect(of('cluster, at receipt').flatMap(({ points }) => points).length).toBe(9);
    expect(of('cluster, at receipt').every(({ fill }) => fill === '#ffffff')).toBe(true);
  });

  test('shows an event with bounds as a bar that they span', () => {
    const at = { tMs: 100, precision: { kind: 'bounded', earlyMs: 60, lateMs: 20 } } as const;
    const around = [
      event('trigger-issued', exact(0), { trigger: 'delete', pod }),
      event('sigterm-received', at, { pod }),
    ];
    const spec = draw([
      reportOf({ ...busyTrial, evidence, newConnections, timeline: around, flows: [], arm: drain.arm }),
    ]);
    const level = spec.config.options.drawings.flatMap((drawing) =>
      drawing.kind === 'line' &&
      drawing.from.y === drawing.to.y &&
      drawing.width === 1.5 &&
      'px' in drawing.from.x &&
      'px' in drawing.to.x
        ? [drawing.to.x.px - drawing.from.x.px]
        : [],
    );
    const [scale] = Object.values(spec.config.options.scales);
    const pixels = ((840 - 2 * 16 - 222) * 80) / ((scale?.max ?? 0) - (scale?.min ?? 0));
    expect(level.at(-1)).toBeCloseTo(pixels, 0);
  });

  test('stays readable, finite and inside the picture whatever the times are', () => {
    const time = fc.oneof(
      fc.double({ min: 0, max: 60, noNaN: true }),
      fc.double({ min: 0, max: 60_000, noNaN: true }),
      fc.double({ min: 25_000, max: 25_400, noNaN: true }),
    );
    const early = fc.double({ min: 0, max: 2000, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(time, { minLength: 9, maxLength: 9 }),
        fc.array(fc.tuple(time, early), { maxLength: 25 }),
        (t, ends) => {
          const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = t;
          const events = [
            event('trigger-accepted', receipt(a), { trigger: 'delete' }),
            event('pod-terminating', receipt(b), { pod }),
            event('endpoint-not-ready', receipt(c), { pod, serving: true, terminating: true }),
            event('sigterm-received', exact(d), { pod }),
            event('close-announced', exact(e), { pod, connections: 10 }),
            event('container-terminated', receipt(f), { pod, exitCode: 137, signal: 9, reason: 'Error' }),
            event('endpoint-removed', receipt(g), { pod }),
            event('pod-ready', receipt(h), { pod: successor }),
            event('pod-deleted', receipt(i), { pod }),
          ];
          const flows = ends.map(([tMs, earlyMs], index) => {
            const at = { tMs, precision: { kind: 'bounded', earlyMs, lateMs: 0 } } as const;
            const kinds = ['icmp-unreachable', 'silence', 'rehomed'] as const;
            const by = kinds[index % 3] ?? 'rst';
            const later = { to: successor, at: exact(tMs + earlyMs) };
            return flow(
              index % 2 === 0 ? 'udp' : 'tcp',
              { kind: 'severed', by, at },
              { rehomed: index % 5 === 0 ? later : null },
            );
          });
          const spec = draw([
            reportOf({ ...busyTrial, evidence, newConnections, arm: drain.arm, timeline: events, flows }),
          ]);
          const boxes = textsOf(spec).map(boxOf);
          expect(numbersIn(spec).filter((number) => !Number.isFinite(number))).toEqual([]);
          expect(boxes.filter(({ left, right }) => left < 0 || right > spec.width)).toEqual([]);
          expect(overlaps(boxes)).toEqual([]);
          // every end, every later answer and every event is a point
          const points = spec.config.data.datasets.flatMap((dataset) => dataset.points);
          const marks = flows.reduce((sum, { rehomed }) => sum + (rehomed === null ? 1 : 2), events.length);
          expect(points.length).toBe(marks);
        },
      ),
      { numRuns: 60 },
    );
  });
});
