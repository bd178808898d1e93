import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metrics } from '../../src/metrics/index.ts';
import { busyTrial } from './charts/example-input.ts';

/** `UPDATE_README=yes` writes what this test expects instead of comparing. */
const update = process.env.UPDATE_README === 'yes';
const page = 'docs/measuring.md';
const block = /(<!-- block: metrics -->\n)[\s\S]*?(<!-- end -->)/;

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Every metric as its registry describes it, with the precision that it gives a trial on a cluster. */
function metricTable(): string {
  const rows = [...metrics].map((metric) => {
    const result = metric.measure(busyTrial);
    const precision = result.status === 'measured' ? `\`${result.value.precision}\`` : '–';
    return row(metric.label, `\`${metric.name}\``, metric.description, metric.better, precision);
  });
  const heading = ['shown as', 'name', 'from which event to which, and what it is not', 'better', 'precision'];
  return [row(...heading), row(...heading.map(() => '---')), ...rows].join('\n');
}

test('the page defines every metric as the registry does', () => {
  const text = readFileSync(page, 'utf8');
  expect(text).toMatch(block);
  const expected = text.replace(block, (_, head: string, end: string) => `${head}${metricTable()}\n${end}`);
  if (update) writeFileSync(page, expected);
  else expect(text).toBe(expected);
});
