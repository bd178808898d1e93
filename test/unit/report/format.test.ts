import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMs, formatSummary } from '../../../src/domain/format-ms.ts';
import { formatPercent } from '../../../src/report/format.ts';
import { unbound, wrap } from '../../../src/report/text-layout.ts';
import { summarize } from '../../../src/stats/summarize.ts';

describe('a time', () => {
  test.each([
    [0, '0 ms'],
    [44.6, '45 ms'],
    [-0.3, '0 ms'],
    [-16, '−16 ms'],
    [9_999.4, '9999 ms'],
    [9_999.6, '10.00 s'],
    [25_043, '25.04 s'],
    [-22_861, '−22.86 s'],
  ])('of %s ms is written %s', (ms, text) => {
    expect(unbound(formatMs(ms))).toBe(text);
  });

  test('is in whole milliseconds below 10 s and in seconds with two decimals from there on', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e7, max: 1e7, noNaN: true }), (ms) => {
        expect(formatMs(ms)).toMatch(
          Math.abs(Math.round(ms)) < 10_000 ? /^−?\d{1,4}\u00a0ms$/ : /^−?\d+\.\d\d\u00a0s$/,
        );
      }),
    );
  });
});

describe('a summary', () => {
  test.each([
    [[70, 98, 36, 45, 30], '45 ms (30–98)'],
    [[25_113, 25_043, 25_071, 25_037, 25_029], '25.04 s (25.03–25.11)'],
    [[-19, -73, -11, -16, -3], '−16 ms (−73 – −3)'],
    [[-192, 2118, 2161, 2130, 2178], '2130 ms (−192 – 2178)'],
    [[9_000, 11_000], '10.00 s (9.00–11.00)'],
  ] as const)('of %j is %s, all in the unit of the median', (values, text) => {
    expect(unbound(formatSummary(summarize(values)))).toBe(text);
  });

  test('of one repeat has no range', () => {
    expect(unbound(formatSummary(summarize([45])))).toBe('45 ms');
  });
});

test('a share has as many decimals as it needs, and two at most', () => {
  expect([0.9375, 0.5, 1 - 2 ** -11].map((share) => unbound(formatPercent(share)))).toEqual([
    '93.75 %',
    '50 %',
    '99.95 %',
  ]);
});

describe('wrapped text', () => {
  const texts = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1 }).map((words) => words.join(' '));
  const widths = fc.integer({ min: 10, max: 60 });

  test('is never wider than asked for, and loses nothing', () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        const lines = wrap(text, width, 4);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  test('keeps a number and its unit together', () => {
    expect(wrap(`closed at ${formatMs(2_409)}`, 14).map(unbound)).toEqual(['closed at', '2409 ms']);
  });
});
