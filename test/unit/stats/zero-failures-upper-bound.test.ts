import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zeroFailuresUpperBound } from '../../../src/stats/zero-failures-upper-bound.ts';

const counts = fc.integer({ min: 1, max: 10_000 });
const confidences = fc.double({ min: 0.5, max: 0.999, noNaN: true });

test('no failure in 5 trials still allows a failure rate of 45 %', () => {
  expect(zeroFailuresUpperBound(5)).toBeCloseTo(0.4507, 4);
});

test('no failure in 1 trial still allows a failure rate of 95 %', () => {
  expect(zeroFailuresUpperBound(1)).toBeCloseTo(0.95, 12);
});

test('at the bound, no failure in n trials is exactly as unlikely as the confidence admits', () => {
  fc.assert(
    fc.property(counts, confidences, (n, confidence) => {
      expect((1 - zeroFailuresUpperBound(n, confidence)) ** n).toBeCloseTo(1 - confidence, 9);
    }),
  );
});

test('more trials without a failure allow less', () => {
  fc.assert(
    fc.property(counts, (n) => {
      expect(zeroFailuresUpperBound(n + 1)).toBeLessThan(zeroFailuresUpperBound(n));
    }),
  );
});

test.each([0, -1, 2.5, Number.NaN])('%s trials have no bound', (n) => {
  expect(() => zeroFailuresUpperBound(n)).toThrow(RangeError);
});

test.each([0, 1, Number.NaN])('a confidence of %s is refused', (confidence) => {
  expect(() => zeroFailuresUpperBound(5, confidence)).toThrow(RangeError);
});
