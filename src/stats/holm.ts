/**
 * P-values of several tests, each raised so far that judging all of them at one level finds a difference where there is
 * none no more often than that, however they depend on each other (Holm, "A Simple Sequentially Rejective Multiple Test
 * Procedure", Scandinavian Journal of Statistics 6, 1979). In the order of `pValues`; at most 1.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const ascending = pValues.map((pValue, index) => ({ pValue, index })).toSorted((x, y) => x.pValue - y.pValue);
  const adjusted = pValues.map(() => 1);
  let greatest = 0;
  for (const [rank, { pValue, index }] of ascending.entries()) {
    greatest = Math.max(greatest, Math.min(1, pValue * (pValues.length - rank)));
    adjusted[index] = greatest;
  }
  return adjusted;
}
