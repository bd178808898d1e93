import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hodgesLehmannShift, shiftInterval } from '../../../src/stats/hodges-lehmann.ts';
import { holm } from '../../../src/stats/holm.ts';
import { leastRepeats } from '../../../src/stats/least-repeats.ts';
import { mannWhitney } from '../../../src/stats/mann-whitney.ts';
import type { Sample } from '../../../src/stats/summarize.ts';
import { choices } from './choices.ts';

/** Permeability of the human chorioamnion at term, and at 12 to 26 weeks: the example of R's wilcox.test. */
const atTerm: Sample = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
const earlier: Sample = [1.15, 0.88, 0.9, 0.74, 1.21];

/** U by its definition: pairs in which the value of `b` is the greater one, ties a half. */
const pairsAbove = (a: readonly number[], b: readonly number[]) =>
  b
    .flatMap((ours) => a.map((theirs) => (ours > theirs ? 1 : ours === theirs ? 0.5 : 0)))
    .reduce<number>((x, y) => x + y, 0);

/** The p-value by its definition: the share of all re-assignments whose U is at least so far from the mean. */
function pValueByEnumeration(a: readonly number[], b: readonly number[]): number {
  const distance = (u: number) => Math.abs(u - (a.length * b.length) / 2);
  const observed = distance(pairsAbove(a, b));
  let [extreme, all] = [0, 0];
  for (const [chosen, left] of choices([...a, ...b], b.length)) {
    all += 1;
    if (distance(pairsAbove(left, chosen)) >= observed) extreme += 1;
  }
  return extreme / all;
}

const sampleOf = (values: fc.Arbitrary<number>) =>
  fc.array(values, { minLength: 1, maxLength: 6 }).map((list) => list as [number, ...number[]]);
const holds = (property: fc.IProperty<[Sample, Sample]>) => {
  fc.assert(property);
};
const continuous = sampleOf(fc.integer({ min: -1_000_000, max: 1_000_000 }));
const tied = sampleOf(fc.integer({ min: 0, max: 4 }));

describe('the exact test of Mann and Whitney', () => {
  test('has U = 15 and, two-sided, twice the published 0.1272 for the permeability data', () => {
    const { u, pValue } = mannWhitney(atTerm, earlier);
    expect(u).toBe(50 - 35);
    expect(pValue / 2).toBeCloseTo(0.1272, 4);
  });

  test('has 2 / 252 for five values each that don’t overlap, and 4 / 252 once the inner two changed places', () => {
    expect(mannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]).pValue).toBeCloseTo(2 / 252, 12);
    expect(mannWhitney([1, 2, 3, 4, 6], [5, 7, 8, 9, 10]).pValue).toBeCloseTo(4 / 252, 12);
  });

  test('tells nothing of samples in which all values are equal', () => {
    expect(mannWhitney([3, 3, 3], [3, 3]).pValue).toBeCloseTo(1, 12);
  });

  test.each([
    ['continuous', continuous],
    ['tied', tied],
  ])('is what enumerating every re-assignment of %s values gives', (_, sample) => {
    holds(
      fc.property(sample, sample, (a, b) => {
        const { u, pValue } = mannWhitney(a, b);
        expect(u).toBe(pairsAbove(a, b));
        expect(pValue).toBeCloseTo(pValueByEnumeration(a, b), 10);
      }),
    );
  });

  test('does not depend on which sample comes first, but for U', () => {
    holds(
      fc.property(tied, tied, (a, b) => {
        const [forth, back] = [mannWhitney(a, b), mannWhitney(b, a)];
        expect(forth.pValue).toBeCloseTo(back.pValue, 12);
        expect(forth.u + back.u).toBe(a.length * b.length);
      }),
    );
  });

  test('still is a probability for 50 values each, and is refused for more', () => {
    const values = (length: number, from: number) =>
      Array.from({ length }, (_, index) => from + index) as unknown as Sample;
    const { pValue } = mannWhitney(values(50, 0), values(50, 25));
    expect(pValue).toBeGreaterThan(0);
    expect(pValue).toBeLessThan(1e-6);
    expect(() => mannWhitney(values(51, 0), values(5, 0))).toThrow(RangeError);
  });

  test('is refused for a value that is not a number', () => {
    expect(() => mannWhitney([1, Number.NaN], [2])).toThrow(RangeError);
  });
});

describe('the shift of Hodges and Lehmann', () => {
  test('is the published 0.305 for the permeability data', () => {
    expect(hodgesLehmannShift(earlier, atTerm)).toBeCloseTo(0.305, 10);
  });

  test('moves with the second sample, against the first, and so does its interval', () => {
    holds(
      fc.property(continuous, continuous, (a, [first, ...rest]) => {
        const b: Sample = [first, ...rest];
        const moved: Sample = [first + 7, ...rest.map((value) => value + 7)];
        expect(hodgesLehmannShift(a, moved)).toBe(hodgesLehmannShift(a, b) + 7);
        expect(hodgesLehmannShift(b, a)).toBe(0 - hodgesLehmannShift(a, b));
        const [before, after] = [shiftInterval(a, b, 0.8), shiftInterval(a, moved, 0.8)];
        expect(after?.low).toBe(before && before.low + 7);
        expect(after?.high).toBe(before && before.high + 7);
      }),
    );
  });
});

describe('the interval of the shift', () => {
  test('of 5 against 5 is from the 3rd to the 23rd of the 25 differences, with 96.8 %', () => {
    const a: Sample = [0, 10, 20, 30, 40];
    const b: Sample = [1, 12, 23, 34, 45];
    const ordered = b.flatMap((x) => a.map((y) => x - y)).toSorted((x, y) => x - y);
    const interval = shiftInterval(a, b, 0.95);
    expect(interval).toMatchObject({ low: ordered[2], high: ordered[22] });
    expect(interval?.confidence).toBeCloseTo(1 - 8 / 252, 12);
  });

  test('does not exist for 3 against 3 at 95 %, whose widest has 90 %', () => {
    expect(shiftInterval([1, 2, 3], [4, 5, 6], 0.95)).toBeUndefined();
    expect(shiftInterval([1, 2, 3], [4, 5, 6], 0.9)).toMatchObject({ low: 1, high: 5, confidence: 0.9 });
  });

  test('holds exactly the shifts that the test does not reject', () => {
    holds(
      fc.property(continuous, continuous, (a, b) => {
        const interval = shiftInterval(a, b, 0.9);
        if (interval === undefined) return;
        expect(interval.confidence).toBeGreaterThanOrEqual(0.9 - 1e-9);
        const pValueAt = ([first, ...rest]: Sample, shift: number) =>
          pValueByEnumeration(a, [first - shift, ...rest.map((value) => value - shift)]);
        // just outside, so that no difference is a tie
        expect(pValueAt(b, interval.high + 0.25)).toBeLessThanOrEqual(1 - interval.confidence + 1e-9);
        expect(pValueAt(b, interval.low - 0.25)).toBeLessThanOrEqual(1 - interval.confidence + 1e-9);
        if (interval.low < interval.high) {
          expect(pValueAt(b, interval.high - 0.25)).toBeGreaterThan(1 - interval.confidence - 1e-9);
        }
      }),
    );
  });

  test('has the shift in it', () => {
    holds(
      fc.property(tied, tied, (a, b) => {
        const [interval, shift] = [shiftInterval(a, b, 0.6), hodgesLehmannShift(a, b)];
        expect((interval?.low ?? shift) <= shift && shift <= (interval?.high ?? shift)).toBe(true);
      }),
    );
  });
});

describe('the correction of Holm', () => {
  test('multiplies the least p-value by the number of tests, the next by one less, and never lets a greater one be less', () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    for (const [index, expected] of [0.03, 0.06, 0.06, 0.02].entries())
      expect(adjusted[index]).toBeCloseTo(expected, 12);
  });

  test('leaves a single test alone, and keeps to 1', () => {
    expect(holm([0.2])).toEqual([0.2]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});

test('four repeats are the fewest that the exact test can tell apart at 5 %, three at 10 %', () => {
  expect(leastRepeats(0.05)).toBe(4);
  expect(leastRepeats(0.1)).toBe(3);
  expect(leastRepeats(1)).toBe(1);
  for (const level of [0.05, 0.01, 0.001]) {
    const repeats = leastRepeats(level);
    const apart = (n: number) =>
      mannWhitney(
        Array.from({ length: n }, (_, i) => i) as unknown as Sample,
        Array.from({ length: n }, (_, i) => n + i) as unknown as Sample,
      ).pValue;
    expect(apart(repeats)).toBeLessThanOrEqual(level);
    expect(apart(repeats - 1)).toBeGreaterThan(level);
  }
});
