import { describe, expect, test } from 'vitest';
import { charts } from '../../../src/charts/index.ts';
import type { ArmAggregate } from '../../../src/domain/aggregate.ts';
import type { ChartSpec } from '../../../src/domain/chart-spec.ts';
import { aggregateOf, armOf, environment, publishedArms } from '../report/example-reports.ts';
import { exampleInput } from './example-input.ts';
import { textsOf } from './spec-geometry.ts';
import { measured } from '../../../src/domain/measured.ts';

function draw(name: string, arms: readonly ArmAggregate[]): ChartSpec {
  const spec = charts.get(name).draw(exampleInput('light', { aggregate: aggregateOf({ arms }) }));
  if (spec === undefined) throw new Error(`${name} drew nothing`);
  return spec;
}

const words = (spec: ChartSpec) => textsOf(spec).map(({ text }) => text.replaceAll('\u00a0', ' '));
const pointsOf = ({ config }: ChartSpec, shape: string) =>
  config.data.datasets.filter((dataset) => dataset.shape === shape).flatMap(({ points }) => points.map(({ x }) => x));

describe('a dot plot', () => {
  test('has every trial as a point at its value, the first of each cluster as a diamond', () => {
    const spec = draw('dead-endpoint-window', publishedArms);
    expect(pointsOf(spec, 'rectRot')).toEqual([521, 353, 206, 715, 258]);
    expect(pointsOf(spec, 'circle').length).toBe(20);
  });

  test('marks each median with a bar, and writes it with its range', () => {
    const spec = draw('dead-endpoint-window', publishedArms);
    const bars = spec.config.options.drawings.flatMap((drawing) =>
      drawing.kind === 'line' && 'value' in drawing.from.x && drawing.width === 2.5 ? [drawing.from.x.value] : [],
    );
    expect(bars).toEqual([221, 253, 206, 206, 211]);
    expect(words(spec)).toContain('221 ms (195–521)');
  });

  test('has no median of a single trial', () => {
    const spec = draw('dead-endpoint-window', [
      armOf('drain', { tcp: [], udp: [], repeats: 1, values: { 'dead-endpoint-window': [207] } }),
    ]);
    expect(words(spec)).toEqual(expect.arrayContaining(['one trial', '207 ms']));
    expect(words(spec)).not.toContain('median');
  });

  test('says where an arm did not measure what others did, and on how many trials a median rests', () => {
    const spec = draw('windows', [
      armOf('drain', { tcp: [], udp: [], values: { 'drain-left-at-udp-rehome': [22_811, 22_861] } }),
      armOf('ignore', { tcp: [], udp: [], values: { 'dead-endpoint-window': [200, 201, 202, 203, 204] } }),
    ]);
    expect(words(spec)).toEqual(expect.arrayContaining(['not measured', '22.84 s (22.81–22.86), n = 2']));
  });

  test('does not name a proxy mode that the arms vary', () => {
    const [first] = publishedArms;
    const nftables = { ...first, arm: { ...first.arm, id: 'exit-now.nftables', proxyMode: 'nftables' } };
    const [one, both] = [draw('ends', [first]), draw('ends', [first, nftables])].map((spec) => words(spec)[1]);
    expect(one).toMatch(/iptables/);
    expect(both).not.toMatch(/iptables/);
    expect(words(draw('ends', [first, nftables]))).toContain('exits at once · delete · nftables');
  });

  test('shows control characters of a report as text', () => {
    const [first] = publishedArms;
    const hostile = { ...environment, proxyMode: measured('\u001b[31m\u202e') };
    const aggregate = aggregateOf({ arms: [first], environment: measured(hostile) });
    const spec = charts.get('ends').draw(exampleInput('light', { aggregate }));
    expect(JSON.stringify(spec)).not.toMatch(/\\u001b|\u202e/);
  });
});
