import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarize, type Sample } from '../../../src/stats/summarize.ts';

// adding zero turns -0 into 0: the order of the two is not what is tested
const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0);
const samples = (minLength: number) =>
  fc.array(finite, { minLength, maxLength: 12 }).map((values) => values as [number, ...number[]]);
const holds = (property: fc.IProperty<[Sample]>) => {
  fc.assert(property);
};
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);

describe('a summary', () => {
  test('of an even count has the mean of the middle two as its median', () => {
    expect(summarize([40, 10, 30, 20]).median).toBe(25);
  });

  test("reproduces the published run's median, minimum and maximum", () => {
    expect(summarize([521, 195, 215, 262, 221])).toMatchObject({ n: 5, min: 195, median: 221, max: 521, mad: 26 });
  });

  test('of five repeats covers the true median with 93.75 %, of six with 96.875 %', () => {
    expect(summarize([1, 2, 3, 4, 5]).rangeConfidence).toBe(0.9375);
    expect(summarize([1, 2, 3, 4, 5, 6]).rangeConfidence).toBe(0.96875);
  });

  test('of one repeat has no deviation and no confidence, rather than zeros', () => {
    expect(summarize([7])).toStrictEqual({ n: 1, min: 7, median: 7, max: 7, values: [7] });
  });

  test('of several equal repeats has a deviation of zero, for it was observed', () => {
    expect(summarize([7, 7, 7]).mad).toBe(0);
  });

  test('is refused for a value that is not a number', () => {
    expect(() => summarize([1, Number.NaN])).toThrow(RangeError);
    expect(() => summarize([Number.POSITIVE_INFINITY])).toThrow(RangeError);
  });

  test('keeps the values in the order that they were given, and leaves its argument alone', () => {
    holds(
      fc.property(samples(1), (values) => {
        const before = [...values];
        expect(summarize(values).values).toEqual(before);
        expect(values).toEqual(before);
      }),
    );
  });

  test('does not depend on the order of its values, but for listing them', () => {
    holds(
      fc.property(samples(1), (values) => {
        const [first = 0, ...rest] = values.toReversed();
        expect({ ...summarize([first, ...rest]), values: [] }).toEqual({ ...summarize(values), values: [] });
      }),
    );
  });

  test('has as many values at or below its median as at or above it', () => {
    holds(
      fc.property(samples(1), (values) => {
        const { min, median, max } = summarize(values);
        const order = sorted(values);
        expect(order.filter((value) => value <= median).length).toBeGreaterThanOrEqual(order.length / 2);
        expect(order.filter((value) => value >= median).length).toBeGreaterThanOrEqual(order.length / 2);
        expect([min, max]).toEqual([order[0], order.at(-1)]);
      }),
    );
  });

  test('moves with a shift of all values, while its deviation stays', () => {
    const whole = fc.integer({ min: -100_000, max: 100_000 });
    const wholes = fc.array(whole, { minLength: 2, maxLength: 9 }).map((values) => values as [number, ...number[]]);
    fc.assert(
      fc.property(wholes, whole, ([first, ...rest], shift) => {
        const before = summarize([first, ...rest]);
        const after = summarize([first + shift, ...rest.map((value) => value + shift)]);
        expect(after.median - before.median).toBe(shift);
        expect(after.mad).toBe(before.mad);
      }),
    );
  });
});
