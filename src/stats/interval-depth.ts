import { rankSumDistribution } from './rank-sum-distribution.ts';

/** Probabilities of Mann and Whitney's U from 0 to m n when nothing differs and there are no ties. */
export function distributionOfU(m: number, n: number): readonly number[] {
  const doubledRanks = Array.from({ length: m + n }, (_, index) => 2 * (index + 1));
  const sums = rankSumDistribution(doubledRanks, n);
  // the doubled rank sum of u = 0
  const least = n * (n + 1);
  return Array.from({ length: m * n + 1 }, (_, u) => sums[least + 2 * u] ?? 0);
}

interface Depth {
  /** How many places the interval's ends stand from the outermost differences, 1 for those themselves; 0 for none. */
  readonly depth: number;
  /** What such an interval really has. */
  readonly confidence: number;
}

/** Rounding of probabilities that are sums of many. */
const tolerance = 1e-12;

/**
 * The shortest interval between two ordered differences that has a confidence, by the null distribution of how many of
 * them are above zero, which is symmetric.
 *
 * @throws {RangeError} for a confidence that isn't between 0 and 1.
 */
export function intervalDepth(distribution: readonly number[], confidence: number): Depth {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`confidence lies between 0 and 1, found ${confidence}`);
  let outside = 0;
  for (let depth = 0; ; depth += 1) {
    const next = outside + 2 * (distribution[depth] ?? 0);
    // past the middle the ends would have changed places
    if (next > 1 - confidence + tolerance || 2 * (depth + 1) > distribution.length) {
      return { depth, confidence: 1 - outside };
    }
    outside = next;
  }
}
