import { median } from 'simple-statistics';
import { differences, type Interval } from './hodges-lehmann.ts';
import { distributionOfU, intervalDepth } from './interval-depth.ts';
import { requireSamples } from './samples.ts';
import type { Sample } from './summarize.ts';

/** Two samples that differ in nothing but what is compared. */
export interface Stratum {
  readonly a: Sample;
  readonly b: Sample;
}

export interface StratifiedShift {
  readonly shift: number;
  readonly interval: Interval;
  /** Two-sided and exact for continuous distributions; a tie counts a half. */
  readonly pValue: number;
}

/**
 * By how much `b` is greater than `a` where every stratum has its own distribution and one shift is common to all: the
 * median of the differences between a value of `b` and one of `a` of the same stratum, its exact interval, and the exact
 * test of the sum of the strata's U (van Elteren, "On the Combination of Independent Two-Sample Tests of Wilcoxon", 1960,
 * with equal weights; Lehmann, "Nonparametrics", chapter 3, section 3). The null distribution of the sum is the convolution
 * of those of Mann and Whitney's U.
 *
 * @returns undefined when the samples are too small for any interval with that confidence, or there are none.
 * @throws {RangeError} for a value that isn't finite, or more than 50 values in a sample.
 */
export function stratifiedShift(strata: readonly Stratum[], confidence: number): StratifiedShift | undefined {
  for (const { a, b } of strata) requireSamples(a, b);
  const ordered = strata.flatMap(({ a, b }) => differences(a, b)).toSorted((x, y) => x - y);
  const distribution = strata.map(({ a, b }) => distributionOfU(a.length, b.length)).reduce(convolved, [1]);
  const { depth, confidence: achieved } = intervalDepth(distribution, confidence);
  const low = ordered[depth - 1];
  const high = ordered[ordered.length - depth];
  if (low === undefined || high === undefined) return undefined;
  const u = ordered.reduce((sum, difference) => sum + (difference > 0 ? 1 : difference === 0 ? 0.5 : 0), 0);
  const mean = ordered.length / 2;
  const extreme = distribution.reduce(
    (sum, mass, value) => (Math.abs(value - mean) >= Math.abs(u - mean) ? sum + mass : sum),
    0,
  );
  return {
    shift: median(ordered),
    interval: { low, high, confidence: achieved },
    pValue: Math.min(1, extreme),
  };
}

function convolved(first: readonly number[], second: readonly number[]): readonly number[] {
  const result = Array.from({ length: first.length + second.length - 1 }, () => 0);
  for (const [i, x] of first.entries()) {
    for (const [j, y] of second.entries()) result[i + j] = (result[i + j] ?? 0) + x * y;
  }
  return result;
}
