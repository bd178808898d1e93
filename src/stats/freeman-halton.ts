/**
 * Whether two samples fall into the same categories as often: Fisher's exact test for more than two categories (Freeman
 * and Halton, "Note on an Exact Treatment of Contingency", Biometrika 38, 1951). The probability of all tables with these
 * margins that are no likelier than the one seen. `counts`: of each category, how many of the first and of the second.
 */
export function freemanHalton(counts: readonly (readonly [number, number])[]): number {
  // tables by how many of the first sample they hold so far and by their weight, the product of C(n, k) of each category
  let tables = new Map([[0, new Map([[1, 1]])]]);
  for (const [ours, theirs] of counts) tables = withCategory(tables, ours + theirs);
  const size = counts.reduce((sum, [ours]) => sum + ours, 0);
  const seen = counts.reduce((product, [ours, theirs]) => product * choose(ours + theirs, ours), 1);
  let [all, noLikelier] = [0, 0];
  for (const [weight, number] of tables.get(size) ?? []) {
    all += weight * number;
    // weights are products of rounded numbers
    if (weight <= seen * (1 + 1e-9)) noLikelier += weight * number;
  }
  return noLikelier / all;
}

type Tables = Map<number, Map<number, number>>;

function withCategory(tables: Tables, members: number): Tables {
  const grown: Tables = new Map();
  for (const [chosen, weights] of tables) {
    for (let more = 0; more <= members; more += 1) {
      const target = grown.get(chosen + more) ?? new Map<number, number>();
      grown.set(chosen + more, target);
      for (const [weight, number] of weights) {
        const product = weight * choose(members, more);
        target.set(product, (target.get(product) ?? 0) + number);
      }
    }
  }
  return grown;
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let index = 1; index <= k; index += 1) ways = (ways * (n - k + index)) / index;
  return Math.round(ways);
}
