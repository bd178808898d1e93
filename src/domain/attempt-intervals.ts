import type { Attempt, AttemptInterval } from './new-connections.ts';

/** More changes than this are not kept one by one. */
const mostIntervals = 400;
const finestWindowMs = 20;

/** Attempts in a row that went alike, in the order of their start, and so few that a report can hold them. */
export function intervalsOf(attempts: readonly Attempt<number>[]): readonly AttemptInterval[] {
  const exact = runs(attempts.map(asInterval), isAlike);
  if (exact.length <= mostIntervals) return exact;
  // several pods that answer in turn change nothing for the client
  let intervals = runs(exact, (one, other) => one.outcome === other.outcome);
  for (let windowMs = finestWindowMs; intervals.length > mostIntervals; windowMs *= 2) {
    const windowOf = ({ fromMs }: AttemptInterval) => Math.floor(fromMs / windowMs);
    intervals = runs(intervals, (one, other) => isAlike(one, other) || windowOf(one) === windowOf(other));
  }
  return intervals;
}

const asInterval = ({ started, outcome, detail }: Attempt<number>): AttemptInterval => ({
  fromMs: started,
  toMs: started,
  outcome,
  detail,
  count: 1,
});

const isAlike = (one: AttemptInterval, other: AttemptInterval): boolean =>
  one.outcome === other.outcome && one.detail === other.detail;

/** Makes one of neighbours that belong together. */
function runs(
  intervals: readonly AttemptInterval[],
  belong: (earlier: AttemptInterval, later: AttemptInterval) => boolean,
): readonly AttemptInterval[] {
  const merged: AttemptInterval[] = [];
  for (const interval of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && belong(last, interval)) merged[merged.length - 1] = joined(last, interval);
    else merged.push(interval);
  }
  return merged;
}

const joined = (earlier: AttemptInterval, later: AttemptInterval): AttemptInterval => ({
  fromMs: earlier.fromMs,
  toMs: later.toMs,
  outcome: earlier.outcome === later.outcome ? earlier.outcome : 'mixed',
  detail: earlier.detail === later.detail ? earlier.detail : null,
  count: earlier.count + later.count,
});
