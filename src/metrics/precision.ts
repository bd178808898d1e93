import type { Precision } from '../domain/time.ts';

type PrecisionKind = Precision['kind'];

/** Weakest first: of a time of receipt nothing but the latest possible moment is known. */
const weakestFirst: readonly PrecisionKind[] = ['upper-bound', 'bounded', 'exact'];

/** What can be said of a quantity that was computed from times of these precisions. */
export const weakest = (kinds: readonly PrecisionKind[]): PrecisionKind =>
  weakestFirst.find((kind) => kinds.includes(kind)) ?? 'exact';
