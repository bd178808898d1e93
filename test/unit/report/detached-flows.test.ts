import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withFlowEvents } from '../../../src/domain/flow-events.ts';
import type { Flow } from '../../../src/domain/flow.ts';
import type { TrialReport } from '../../../src/domain/trial.ts';
import { createDigester } from '../../../src/experiment/trial-digest.ts';
import { flowsCsv } from '../../../src/report/csv.ts';
import { mostFlowsWithin, readReport, writeReport } from '../../../src/report/report-file.ts';
import { flowOf, reportOf, severedByRst } from '../../fixtures/trial-report.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drainwatch-flows-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Half of the flows TCP, all reset; the others UDP, re-homed without an end of their own. */
const flowsOf = (count: number): readonly Flow[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? flowOf(severedByRst(40 + index / 128), { id: `tcp-${index}`, errorCode: 'ECONNRESET' })
      : flowOf(
          { kind: 'survived-observation-window' },
          {
            id: `udp-${index}`,
            protocol: 'udp',
            rehomed: { to: 'new/1', at: { tMs: 2_000 + index, precision: { kind: 'bounded', earlyMs: 0, lateMs: 3 } } },
          },
        ),
  );

const manyFlows = (count: number): TrialReport => {
  const flows = flowsOf(count);
  const removed = {
    name: 'endpoint-removed',
    source: 'kubernetes',
    at: { tMs: 1_000, precision: { kind: 'upper-bound' } },
    payload: { pod: 'probe-1' },
  } as const;
  return reportOf(1, {}, { flows, timeline: withFlowEvents([removed], flows) });
};

const stored = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown;
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : 'no error object'),
  );

test('a report of few flows holds them, in one file that earlier versions read', async () => {
  await writeReport(folder, '01', manyFlows(mostFlowsWithin));
  expect(await readdir(folder)).toEqual(['01.json']);
  expect(await stored('01.json')).toMatchObject({ schemaVersion: 1 });
});

describe('a report of many flows', () => {
  const report = manyFlows(1_000);

  test('comes back as it was, flows and timeline', async () => {
    await writeReport(folder, '01', report);
    expect(await readdir(folder)).toEqual(['01.flows.ndjson', '01.json']);
    expect(await readReport(join(folder, '01.json'))).toEqual(report);
  });

  test('with a timeline that its flows do not tell keeps that timeline', async () => {
    const odd = { ...report, trial: { ...report.trial, timeline: report.trial.timeline.slice(0, 10) } };
    await writeReport(folder, '01', odd);
    expect(await readReport(join(folder, '01.json'))).toEqual(odd);
  });

  test('counts them by protocol and outcome, with the times of their ends', async () => {
    await writeReport(folder, '01', report);
    expect(await stored('01.json')).toMatchObject({
      schemaVersion: 2,
      trial: {
        timeline: [{ name: 'endpoint-removed' }],
        flows: {
          count: 1_000,
          summary: [
            { protocol: 'tcp', outcome: 'severed (rst)', flows: 500, rehomed: 0, endsMs: { min: 40, max: 47.796875 } },
            { protocol: 'udp', outcome: 'survived-observation-window', flows: 500, rehomed: 500, endsMs: null },
          ],
        },
      },
    });
  });

  test('is no longer for ten times the flows', async () => {
    await writeReport(folder, '01', report);
    await writeReport(folder, '02', manyFlows(10_000));
    const [small, large] = await Promise.all(['01.json', '02.json'].map((name) => stat(join(folder, name))));
    expect(large?.size).toBeLessThan(1.1 * (small?.size ?? 0));
  });

  test('is summed up and tabled as one that holds them', async () => {
    await writeReport(folder, '01', report);
    const read = await readReport(join(folder, '01.json'));
    expect(createDigester()(read)).toEqual(createDigester()(report));
    expect(flowsCsv.rows(read)).toBe(flowsCsv.rows(report));
  });

  test.each([
    ['is missing', (path: string) => rm(path), /01\.flows\.ndjson can't be read/],
    ['was cut off', (path: string) => cutOff(path), /bytes of another content/],
    ['was changed', (path: string) => changed(path), /bytes of another content/],
  ])('whose file of flows %s is an error that names that file', async (_, spoil, message) => {
    await writeReport(folder, '01', report);
    await spoil(join(folder, '01.flows.ndjson'));
    expect(await refusal(readReport(join(folder, '01.json')))).toMatch(message);
  });

  test.each(['../01.flows.ndjson', '/etc/passwd', '01.flows.ndjson/../x', 'other.ndjson'])(
    'that names the file %s is refused: it names none but the one beside it',
    async (file) => {
      await writeReport(folder, '01', report);
      const path = join(folder, '01.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace('"01.flows.ndjson"', JSON.stringify(file)));
      expect(await refusal(readReport(path))).toContain('expected: the name of a file such as 01.flows.ndjson');
    },
  );

  test('with a number that JSON does not have leaves neither file', async () => {
    const [first, ...others] = flowsOf(1_000);
    const flows = [...others, { ...(first ?? flowOf(severedByRst(1))), sent: Number.NaN }];
    await expect(writeReport(folder, '01', reportOf(1, {}, { flows }))).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});

const cutOff = async (path: string) => writeFile(path, (await readFile(path)).subarray(0, -10));
const changed = async (path: string) =>
  writeFile(path, (await readFile(path, 'utf8')).replace('ECONNRESET', 'ECONNREFUS'));
