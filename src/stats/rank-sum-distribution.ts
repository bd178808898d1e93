/**
 * Probabilities of every value that the sum of `size` ranks can take when all choices of them are equally likely; the
 * index is the doubled sum, for a midrank may be a half. Without ties it is the null distribution of Wilcoxon's rank sum,
 * with ties the one conditional on them (the shift algorithm of Streitberg and Röhmel, "Exact distributions for
 * permutation and rank tests", Statistical Software Newsletter 12, 1986).
 *
 * Takes `size` times the sum of all ranks in time for each rank: see `largestSample`.
 */
export function rankSumDistribution(doubledRanks: readonly number[], size: number): Float64Array {
  const total = doubledRanks.reduce((sum, rank) => sum + rank, 0);
  const width = total + 1;
  // row k holds the probability of having chosen k of the ranks so far, by their sum
  const rows = Array.from({ length: size + 1 }, () => new Float64Array(width));
  const start = rows[0];
  if (start === undefined) throw new RangeError(`a size is a whole number, 0 or more, found ${size}`);
  start[0] = 1;
  for (const [index, rank] of doubledRanks.entries()) {
    // sampling in turn: the next rank is taken with the share of places that are still free
    const left = doubledRanks.length - index;
    for (let chosen = Math.min(index, size); chosen >= 0; chosen -= 1) {
      const take = (size - chosen) / left;
      moveMass(rows[chosen], rows[chosen + 1], rank, take);
    }
  }
  return rows[size] ?? new Float64Array(0);
}

/** Moves a share of each sum's probability to the sum with one rank more. */
function moveMass(from: Float64Array | undefined, to: Float64Array | undefined, rank: number, share: number): void {
  if (from === undefined) return;
  for (let sum = from.length - 1; sum >= 0; sum -= 1) {
    const mass = from[sum] ?? 0;
    if (mass === 0) continue;
    if (to !== undefined && share > 0) to[sum + rank] = (to[sum + rank] ?? 0) + mass * share;
    from[sum] = mass * (1 - share);
  }
}

/** Doubled midranks, in the order of `values`: equal values share the mean of the ranks that they take. */
export function doubledMidranks(values: readonly number[]): readonly number[] {
  const below = (value: number) => values.filter((other) => other < value).length;
  const equal = (value: number) => values.filter((other) => other === value).length;
  return values.map((value) => 2 * below(value) + equal(value) + 1);
}

/** The exact distribution is for small samples: R's `wilcox.test` has the same limit of each. */
export const largestSample = 50;
