/**
 * The failure rate, 0 to 1, that `n` trials without a failure still allow: the one-sided exact upper bound of Clopper
 * and Pearson ("The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial", 1934). With 0
 * failures it solves (1 - p)^n = 1 - confidence, hence p = 1 - (1 - confidence)^(1/n): 0.45 for n = 5.
 *
 * @throws {RangeError} unless `n` is a whole number above 0 and `confidence` lies between 0 and 1, both excluded.
 */
export function zeroFailuresUpperBound(n: number, confidence = 0.95): number {
  if (!Number.isInteger(n) || n < 1) throw new RangeError(`n is a whole number above 0, found ${n}`);
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`confidence lies between 0 and 1, found ${confidence}`);
  return 1 - (1 - confidence) ** (1 / n);
}
