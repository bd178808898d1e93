import { wilcoxonRankSum } from 'simple-statistics';
import { doubledMidranks, rankSumDistribution } from './rank-sum-distribution.ts';
import { requireSamples } from './samples.ts';
import type { Sample } from './summarize.ts';

export interface MannWhitney {
  /** Pairs in which the value of `b` is the greater one; a tie counts a half. 0 to `a.length * b.length`. */
  readonly u: number;
  /** Two-sided and exact, given the ties: how likely a `u` at least so far from its mean is when nothing differs. */
  readonly pValue: number;
}

/**
 * Whether two independent samples come from one distribution: the exact two-sided test of Mann and Whitney, which is
 * Wilcoxon's rank sum test (Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd edition, section 4.1;
 * Lehmann, "Nonparametrics", chapter 1). With ties it is the permutation test on midranks, exact conditionally on them.
 *
 * @throws {RangeError} for a value that isn't finite, or more than 50 values in a sample.
 */
export function mannWhitney(a: Sample, b: Sample): MannWhitney {
  requireSamples(a, b);
  const doubledRanks = doubledMidranks([...a, ...b]);
  // the smaller sample has fewer sums
  const sample = b.length <= a.length ? b : a;
  const observed = 2 * wilcoxonRankSum([...sample], [...(sample === b ? a : b)]);
  const mean = sample.length * (a.length + b.length + 1);
  const distribution = rankSumDistribution(doubledRanks, sample.length);
  const extreme = distribution.reduce(
    (sum, mass, doubledSum) => (Math.abs(doubledSum - mean) >= Math.abs(observed - mean) ? sum + mass : sum),
    0,
  );
  const values = a.length + b.length;
  const doubledSumOfB = sample === b ? observed : values * (values + 1) - observed;
  return { u: doubledSumOfB / 2 - (b.length * (b.length + 1)) / 2, pValue: Math.min(1, extreme) };
}
