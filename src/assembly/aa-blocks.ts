import { inputError } from '../domain/errors.ts';

/** Trials of one level that run together: these repeats of every arm. */
export interface Block {
  readonly round: number;
  readonly lanes: number;
  readonly repeats: readonly number[];
}

export interface BlockOptions {
  /** How many trials run at once, a level each; the first is the reference. */
  readonly levels: readonly number[];
  readonly arms: number;
  readonly repeats: number;
}

/**
 * The order of an A/A run. In each round every level runs the same repeats of every arm, enough trials to fill the lanes
 * of the highest; the level that begins moves on by one from round to round (a cyclic Latin square), so that neither a
 * trend of the machine nor what a level leaves behind falls on one level only.
 *
 * @throws {ActionableError} of kind `input` for fewer than two levels, one twice, or too few trials for the highest.
 */
export function aaBlocks({ levels, arms, repeats }: BlockOptions): readonly Block[] {
  if (levels.length < 2 || new Set(levels).size !== levels.length) {
    throw inputError({
      expected: 'two levels of concurrency or more, each once',
      found: levels.join(', '),
      remedy: 'name them as --levels 1,5,10; the first is the reference',
    });
  }
  const highest = Math.max(...levels);
  const least = Math.ceil(highest / Math.max(arms, 1));
  const rounds = Math.floor(repeats / least);
  if (rounds === 0) {
    throw inputError({
      expected: `trials for ${highest} lanes: ${least} repeats of ${arms} arms, or more`,
      found: `${repeats} repeats`,
      remedy: 'give more --repeats, or lower --levels',
    });
  }
  return Array.from({ length: rounds }, (_, round) => {
    const from = Math.floor((round * repeats) / rounds);
    const to = Math.floor(((round + 1) * repeats) / rounds);
    const own = Array.from({ length: to - from }, (_unused, index) => from + index + 1);
    const first = round % levels.length;
    const order = [...levels.slice(first), ...levels.slice(0, first)];
    return order.map((lanes) => ({ round: round + 1, lanes, repeats: own }));
  }).flat();
}
