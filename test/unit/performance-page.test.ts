import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { aaResultSchema } from '../../src/report/comparison/aa-schema.ts';
import { findingMarks, shiftText } from '../../src/report/comparison/words.ts';
import { nameOf } from '../../src/report/metrics-table.ts';

/** `UPDATE_README=yes` writes what this test expects instead of comparing. */
const update = process.env.UPDATE_README === 'yes';
const page = 'docs/performance.md';
const folder = 'docs/results/bench';
const aaRun = 'docs/results/aa-lanes-kind-v1.34.0/comparison.json';

const figureSchema = z.strictObject({
  unit: z.string(),
  n: z.int().min(1),
  min: z.number(),
  median: z.number(),
  max: z.number(),
});
const resultsSchema = z.strictObject({
  schemaVersion: z.literal(1),
  machine: z.strictObject({
    cpu: z.string(),
    cores: z.int(),
    memoryGib: z.number(),
    system: z.string(),
    architecture: z.string(),
    node: z.string(),
  }),
  benchmarks: z.record(
    z.string(),
    z.strictObject({
      commit: z.string(),
      dirty: z.boolean(),
      at: z.iso.datetime(),
      loadAverage: z.strictObject({ before: z.number(), after: z.number() }),
      figures: z.record(z.string(), figureSchema),
    }),
  ),
});

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const number = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 4 });

function valueOf({ unit, n, min, median, max }: z.infer<typeof figureSchema>): string {
  const range = n === 1 ? '' : ` (${number(min)}–${number(max)})`;
  return `${number(median)}${unit === '' ? '' : ` ${unit}`}${range}`;
}

/** A section a machine: each figure's median and range, and how busy the machine was. */
function tablesOf(name: string): string {
  const { machine, benchmarks } = resultsSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const { cpu, cores, memoryGib, system, architecture, node } = machine;
  const rows = Object.entries(benchmarks).flatMap(([benchmark, { loadAverage, figures }]) => {
    const load = `${number(loadAverage.before)} → ${number(loadAverage.after)}`;
    return Object.entries(figures).map(([figure, value], index) =>
      row(index === 0 ? benchmark : '', figure, valueOf(value), index === 0 ? load : ''),
    );
  });
  return [
    `${cpu}, ${cores} cores, ${memoryGib} GiB, ${system} ${architecture}, Node.js ${node}:`,
    '',
    row('benchmark', 'figure', 'median (range)', 'load average'),
    row('---', '---', '---', '---'),
    ...rows,
  ].join('\n');
}

test('the numbers of the page on performance are those of the committed benchmark results', () => {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  expect(names).not.toEqual([]);
  checkBlock('benchmark results', names.toSorted().map(tablesOf).join('\n\n'));
});

test('the shifts that the page tells of lanes are those of the committed A/A run', () => {
  const { comparisons } = aaResultSchema.parse(JSON.parse(readFileSync(aaRun, 'utf8')));
  const [first] = comparisons;
  if (first?.pooled === undefined) return expect.fail(`${aaRun} compares no level over all arms together`);
  const rows = first.pooled.map(({ metric, floorMs }) =>
    row(
      nameOf(metric),
      floorMs === null ? '–' : `±${floorMs} ms`,
      ...comparisons.map(({ pooled }) => {
        const own = pooled?.find((candidate) => candidate.metric === metric);
        return own === undefined ? '–' : `${findingMarks[own.finding]} ${shiftText(own)}`;
      }),
    ),
  );
  const head = ['over all arms, against one lane', 'floor', ...comparisons.map(({ lanes }) => `${lanes} lanes`)];
  checkBlock('lanes', [row(...head), row(...head.map(() => '---')), ...rows].join('\n'));
});

function checkBlock(name: string, content: string): void {
  const block = new RegExp(`(<!-- block: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  const text = readFileSync(page, 'utf8');
  expect(text).toMatch(block);
  const expected = text.replace(block, (_, head: string, end: string) => `${head}${content}\n${end}`);
  if (update) writeFileSync(page, expected);
  else expect(text).toBe(expected);
}
