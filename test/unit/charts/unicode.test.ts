import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dotStrips } from '../../../src/charts/unicode.ts';
import { metrics } from '../../../src/metrics/index.ts';
import type { Sample } from '../../../src/stats/summarize.ts';
import { aggregateOf, armOf, publishedArms } from '../report/example-reports.ts';

const metric = metrics.get('dead-endpoint-window');

function linesOf(samples: readonly Sample[], width = 80): readonly string[] {
  const scenarios = ['drain', 'ignore', 'exit-now', 'drain-evict', 'drain-scale'];
  const arms = samples.map((sample, index) =>
    armOf(scenarios[index] ?? 'drain', { tcp: [], udp: [], repeats: sample.length, values: { [metric.name]: sample } }),
  );
  return dotStrips(aggregateOf({ arms }), metric, { width })?.split('\n') ?? [];
}

/** The trials that a strip shows: one for a dot, as many as a digit says. */
function trialsIn(strip: string): number {
  const weights = new Map(Array.from('²³⁴⁵⁶⁷⁸⁹').map((digit, index) => [digit, index + 2]));
  return Array.from(strip)
    .map((mark) => weights.get(mark) ?? (mark === '·' || mark === '●' ? 1 : Number(mark) || 0))
    .reduce((sum, count) => sum + count, 0);
}

const stripOf = (line: string) =>
  line.slice('dead-endpoint window, n = 5  '.length).replace(/[−.\d]+ m?s(?: \([^)]*\))?$/, '');

describe('a strip of dots', () => {
  test('shows the published run as a reader of a comment sees it', () => {
    expect(dotStrips(aggregateOf(), metric, { width: 90 })).toBe(
      [
        'dead-endpoint window, n = 5  0                    400 ms          800 ms',
        'exits at once · delete                 ··● ·            ·                 221 ms (195–521)',
        'drains · delete                         ² ●·    ·                         253 ms (206–353)',
        'ignores SIGTERM · delete               ²2 ·                               206 ms (187–250)',
        'drains · evict                        ··●·                         ·      206 ms (177–715)',
        'drains · scale to 0                   · 2  · ·                            211 ms (169–310)',
      ].join('\n'),
    );
  });

  test('shows every trial of every arm, and is no wider than it may be', () => {
    const samples = fc.array(
      fc.array(fc.double({ min: -900, max: 30_000, noNaN: true }), { minLength: 5, maxLength: 5 }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(samples, (arms) => {
        const [, ...wide] = linesOf(arms as unknown as Sample[], 100);
        expect(wide.map((line) => trialsIn(stripOf(line)))).toEqual(arms.map(() => 5));
        for (const width of [60, 80, 100]) {
          const lengths = linesOf(arms as unknown as Sample[], width).map((line) => line.length);
          expect(Math.max(...lengths)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  test('counts trials that share a place, and marks the place of the median', () => {
    const [, strip = ''] = linesOf([[100, 100, 100, 101, 800]], 80);
    expect(stripOf(strip).trim()).toMatch(/^4 +·$/);
    expect(trialsIn(stripOf(strip))).toBe(5);
    expect(stripOf(linesOf([[100, 100, 400, 700, 800]], 80)[1] ?? '').trim()).toMatch(/^² +● +· +·$/);
  });

  test('marks a median that lies between two trials though no trial is there', () => {
    expect(stripOf(linesOf([[100, 700]], 80)[1] ?? '').trim()).toMatch(/^· +● +·$/);
  });

  test('tells the number of trials of each arm where they differ', () => {
    const lines = linesOf([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(lines.map((line) => line.split('  ')[0])).toEqual([
      'dead-endpoint window',
      'drains · delete, n = 3',
      'ignores SIGTERM · delete, n = 2',
    ]);
  });

  test('can’t end the code block that it stands in', () => {
    const [first] = publishedArms;
    const hostile = { ...first, label: '```\n# heading' };
    expect(dotStrips(aggregateOf({ arms: [hostile] }), metric, { width: 80 })).not.toMatch(/`|\n#/);
  });

  test('is none where no arm has the metric', () => {
    expect(dotStrips(aggregateOf({ arms: [] }), metric, { width: 80 })).toBeUndefined();
  });
});
