import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentsOf, widened } from '../../../../src/charts/timeline/segments.ts';

const times = fc.array(fc.double({ min: 0, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 25 });

describe('the timeline', () => {
  test('is cut where nothing happens, and each burst gets a scale of its own', () => {
    const start = [0, 8, 9, 31, 31, 35];
    const end = [25_032, 25_039, 25_237, 25_245, 25_500];
    expect(segmentsOf([...start, ...end])).toEqual([
      { from: 0, to: 35 },
      { from: 25_032, to: 25_500 },
    ]);
  });

  test('is not cut where events come evenly', () => {
    expect(segmentsOf([0, 100, 210, 290, 400, 520])).toEqual([{ from: 0, to: 520 }]);
  });

  test('has at most three segments, in order, apart, with every time in one of them', () => {
    fc.assert(
      fc.property(times, (sample) => {
        const segments = segmentsOf(sample);
        expect(segments.length).toBeLessThanOrEqual(3);
        const bounds = segments.flatMap(({ from, to }) => [from, to]);
        expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
        const holders = sample.map((time) => segments.filter(({ from, to }) => time >= from && time <= to).length);
        expect(holders.every((count) => count === 1)).toBe(true);
      }),
    );
  });

  test('keeps a time between two segments in the nearer one', () => {
    const segments = [
      { from: 0, to: 45 },
      { from: 149, to: 1480 },
    ];
    expect(widened(segments, [59, 120])).toEqual([
      { from: 0, to: 59 },
      { from: 120, to: 1480 },
    ]);
  });
});
