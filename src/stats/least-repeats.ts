/**
 * The fewest repeats on either side with which the exact two-sided rank sum test can have a p-value of `level` or less: two
 * samples that don't overlap have 2 / C(2n, n), and nothing has less. 4 for 0.05.
 *
 * @throws {RangeError} unless `level` is more than 0 and no more than 1.
 */
export function leastRepeats(level: number): number {
  if (!(level > 0 && level <= 1)) throw new RangeError(`a level is above 0 and at most 1, found ${level}`);
  let choices = 2;
  let repeats = 1;
  while (2 / choices > level) {
    repeats += 1;
    // C(2n, n) from C(2n - 2, n - 1)
    choices = (choices * 2 * (2 * repeats - 1)) / repeats;
  }
  return repeats;
}
