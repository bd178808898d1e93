import type { Comparison, ShiftFinding } from './comparison.ts';

/** How many trials ran at once, and what it took. */
export interface AaLevel {
  readonly lanes: number;
  readonly trials: number;
  /** Of its blocks together, without the cluster. */
  readonly seconds: number;
}

/**
 * Trials at several levels of concurrency, in turns on one cluster. Nothing but the concurrency differs, so that a shift
 * between two levels is of it.
 */
export interface AaResult {
  readonly schemaVersion: 1;
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly repeats: number;
  readonly rounds: number;
  /** The first is the reference. */
  readonly levels: readonly AaLevel[];
  /** Every other level against the reference, in the order of the levels. */
  readonly comparisons: readonly { readonly lanes: number; readonly comparison: Comparison }[];
  readonly finding: ShiftFinding;
  /** The most lanes up to which no level shifted anything nor left it undecided; null where not even the fewest did. */
  readonly cleanUpToLanes: number | null;
}

/** The graver finding of all comparisons decides. */
export function aaFinding(comparisons: AaResult['comparisons']): ShiftFinding {
  const has = (wanted: ShiftFinding) => comparisons.some(({ comparison }) => comparison.finding === wanted);
  if (has('shifted')) return 'shifted';
  return has('undecided') || comparisons.length === 0 ? 'undecided' : 'no-shift';
}

export function cleanUpTo(comparisons: AaResult['comparisons']): number | null {
  const ascending = comparisons.toSorted((x, y) => x.lanes - y.lanes);
  const firstBad = ascending.findIndex(({ comparison }) => comparison.finding !== 'no-shift');
  const clean = firstBad === -1 ? ascending : ascending.slice(0, firstBad);
  return clean.at(-1)?.lanes ?? null;
}
