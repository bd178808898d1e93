import { describe, expect, test } from 'vitest';
import { findingOf, type Comparison } from '../../../src/domain/comparison.ts';
import { writeComparison } from '../../../src/report/comparison/markdown.ts';
import { comparisonSchema } from '../../../src/report/comparison/schema.ts';
import { renderComparison } from '../../../src/report/comparison/table.ts';
import { compareArms } from '../../../src/stats/compare-arms.ts';
import { aggregateOf, all, armOf } from './example-reports.ts';

const calm = { tcp: all('severed (rst)'), udp: [], values: { 'trigger-to-sigterm': [30, 31, 32, 33, 34] as const } };
const late = {
  tcp: all('read-timeout'),
  udp: [],
  values: { 'trigger-to-sigterm': [60, 61, 62, 63, 64] as const },
};

const comparisonOf = (changes: Partial<Comparison> = {}): Comparison => {
  const arms = compareArms(
    aggregateOf({ arms: [armOf('exit-now', calm)] }),
    aggregateOf({ arms: [armOf('exit-now', late)] }),
    0.95,
  );
  return {
    schemaVersion: 1,
    a: { run: 'one', name: '1 lane' },
    b: { run: 'two', name: '5 lanes' },
    confidence: 0.95,
    differences: ['concurrency: 1 / 5'],
    arms,
    finding: findingOf(arms),
    ...changes,
  };
};

describe('a comparison', () => {
  test('survives being written as JSON and read', () => {
    const comparison = comparisonOf();
    expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison);
  });

  test.each([
    ['table', (comparison: Comparison) => renderComparison(comparison, { width: 100, color: false })],
    ['Markdown', writeComparison],
  ])('as %s has the answer first, then what is not alike, the outcomes and the shift with its interval', (_, write) => {
    const text = write(comparisonOf());
    const places = ['5 lanes against 1 lane: shifted', 'concurrency', 'TCP outcomes', '+30.0'].map((part) =>
      text.indexOf(part),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('as a table keeps to its width, down to 72 columns', () => {
    for (const width of [40, 72, 100, 160]) {
      const lines = renderComparison(comparisonOf(), { width, color: false }).split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(72, width));
    }
  });

  test('makes nothing of names that would be markup or terminal commands', () => {
    const hostile = comparisonOf({ b: { run: 'two', name: '@all <img src=x> \u001b[31m|' } });
    for (const part of ['@all', '<img', '\u001b']) expect(writeComparison(hostile)).not.toContain(part);
    expect(renderComparison(hostile, { width: 100, color: false })).not.toContain('\u001b');
  });
});
