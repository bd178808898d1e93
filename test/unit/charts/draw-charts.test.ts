import { expect, test } from 'vitest';
import { drawCharts } from '../../../src/charts/draw-charts.ts';
import { charts } from '../../../src/charts/index.ts';
import { aggregateOf, publishedArms } from '../report/example-reports.ts';
import { exampleInput } from './example-input.ts';

const input = exampleInput('light');

test('a chart of one arm is drawn once for each complete arm, named after it', () => {
  const names = drawCharts(charts, input).map(({ name }) => name);
  expect(names).toContain('outcomes');
  expect(names.filter((name) => name.startsWith('timeline-'))).toEqual(
    input.aggregate.arms.map(({ arm }) => `timeline-${arm.id}`),
  );
  expect(new Set(names).size).toBe(names.length);
});

test('every chart comes in both themes', () => {
  for (const { specs } of drawCharts(charts, input)) {
    expect(specs.light.config.options.background).not.toBe(specs.dark.config.options.background);
  }
});

test('a name from a hostile report names a file in the folder, and no other', () => {
  const [first] = publishedArms;
  const arm = { ...first.arm, id: '../../etc/passwd\u0000' };
  const reports = input.reports.map((report) => ({ ...report, trial: { ...report.trial, arm } }));
  const drawn = drawCharts(charts, { ...input, reports, aggregate: aggregateOf({ arms: [{ ...first, arm }] }) });
  expect(drawn.map(({ name }) => name)).toContain('timeline-..-..-etc-passwd-');
  expect(drawn.every(({ name }) => /^[0-9A-Za-z.-]+$/.test(name))).toBe(true);
});

test('nothing is drawn of a run without a complete arm', () => {
  expect(drawCharts(charts, { ...input, aggregate: aggregateOf({ arms: [] }) })).toEqual([]);
});
