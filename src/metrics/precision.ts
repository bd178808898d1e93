import type { Precision } from '../domain/time.ts';
import type { SamplePrecision } from '../domain/trial.ts';

type PrecisionKind = Precision['kind'];

/** Weakest first: of a time of receipt nothing but the latest possible moment is known. */
const weakestFirst: readonly PrecisionKind[] = ['upper-bound', 'bounded', 'exact'];

/** What can be said of the outermost of times with these precisions. */
export const weakest = (kinds: readonly PrecisionKind[]): PrecisionKind =>
  weakestFirst.find((kind) => kinds.includes(kind)) ?? 'exact';

/** What can be said of `to - from`: the later `from` is stamped, the shorter the difference seems; `to` the reverse. */
export function ofDifference(from: SamplePrecision, to: SamplePrecision): SamplePrecision {
  const smallerThanShown = mayBeSmaller.has(to) || mayBeGreater.has(from);
  const greaterThanShown = mayBeGreater.has(to) || mayBeSmaller.has(from);
  if (smallerThanShown && greaterThanShown) return 'unbounded';
  if (smallerThanShown) return 'upper-bound';
  if (greaterThanShown) return 'lower-bound';
  return from === 'bounded' || to === 'bounded' ? 'bounded' : 'exact';
}

/** By how much is not known. */
const mayBeSmaller: ReadonlySet<SamplePrecision> = new Set(['upper-bound', 'unbounded']);
const mayBeGreater: ReadonlySet<SamplePrecision> = new Set(['lower-bound', 'unbounded']);
