import type { MetricComparison, Shift } from '../domain/comparison.ts';
import { leastRepeats } from './least-repeats.ts';

/** What a shift is judged by. */
export interface Yardstick {
  readonly floorMs: number;
  /** Of a false alarm among all tests, 0 to 1. */
  readonly level: number;
  /** How many tests are judged together. */
  readonly tests: number;
  /** Repeats of the side that has fewer. */
  readonly repeats: number;
}

export type Judgement = Pick<MetricComparison, 'finding' | 'reason' | 'moreRepeats'>;

/**
 * No shift when the whole interval lies within the floor (the two one-sided tests of equivalence, Schuirmann 1987, on an
 * exact interval); shifted when the difference is significant among all that are tested and greater than the floor.
 * All else is undecided.
 */
export function judgeShift({ shift, interval, adjustedPValue }: Shift, yardstick: Yardstick): Judgement {
  const { floorMs, level, tests, repeats } = yardstick;
  if (interval.low >= -floorMs && interval.high <= floorMs) return decided('no-shift');
  const size = Math.abs(shift);
  if (size > floorMs) {
    if (adjustedPValue <= level) return decided('shifted');
    const reason = `more than ${floorMs} ms apart, but not surely so: p = ${adjustedPValue.toPrecision(2)} among ${tests} tests`;
    return undecided(reason, Math.max(1, leastRepeats(level / tests) - repeats));
  }
  const reason = `the interval reaches beyond ${floorMs} ms`;
  const half = Math.max(interval.high - shift, shift - interval.low);
  // an interval narrows with the root of the repeats, whose centre may still move
  const enough = repeats * (half / (floorMs - size)) ** 2;
  return undecided(reason, Number.isFinite(enough) ? Math.max(1, Math.ceil(enough) - repeats) : null);
}

/** Too few for any interval at that level. */
export const tooFew = (reason: string, { level, repeats }: Pick<Yardstick, 'level' | 'repeats'>): Judgement =>
  undecided(reason, Math.max(1, leastRepeats(level) - repeats));

export const undecided = (reason: string, moreRepeats: number | null): Judgement => ({
  finding: 'undecided',
  reason,
  moreRepeats,
});

const decided = (finding: 'no-shift' | 'shifted'): Judgement => ({ finding, reason: null, moreRepeats: null });
