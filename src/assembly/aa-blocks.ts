import type { LevelConditions } from '../domain/aa-level.ts';
import { inputError } from '../domain/errors.ts';

/** Trials of one level that run together: these repeats of every arm. */
export interface Block<Level> {
  readonly round: number;
  readonly level: Level;
  readonly repeats: readonly number[];
}

export interface BlockOptions<Level> {
  /** The first is the reference. */
  readonly levels: readonly Level[];
  readonly arms: number;
  readonly repeats: number;
}

/**
 * The order of an A/A run. In each round every level runs the same repeats of every arm, enough trials to fill the lanes
 * of the highest; the level that begins moves on by one from round to round (a cyclic Latin square), so that neither a
 * trend of the machine nor what a level leaves behind falls on one level only.
 *
 * @throws {ActionableError} of kind `input` for too few trials to fill the lanes of the highest level.
 */
export function aaBlocks<Level extends Pick<LevelConditions, 'lanes'>>({
  levels,
  arms,
  repeats,
}: BlockOptions<Level>): readonly Block<Level>[] {
  const highest = Math.max(...levels.map(({ lanes }) => lanes));
  const least = Math.ceil(highest / Math.max(arms, 1));
  const rounds = Math.floor(repeats / least);
  if (rounds === 0) {
    throw inputError({
      expected: `trials for ${highest} lanes: ${least} repeats of ${arms} arms, or more`,
      found: `${repeats} repeats`,
      remedy: 'give more --repeats, or fewer lanes',
    });
  }
  return Array.from({ length: rounds }, (_, round) => {
    const from = Math.floor((round * repeats) / rounds);
    const to = Math.floor(((round + 1) * repeats) / rounds);
    const own = Array.from({ length: to - from }, (_unused, index) => from + index + 1);
    const first = round % levels.length;
    const order = [...levels.slice(first), ...levels.slice(0, first)];
    return order.map((level) => ({ round: round + 1, level, repeats: own }));
  }).flat();
}
