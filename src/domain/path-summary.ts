import type { Protocol } from './flow.ts';
import { mapMeasured, type Measured } from './measured.ts';
import type { AttemptOutcome, ConnectionPath, NewConnectionSeries } from './new-connections.ts';
import type { Trial } from './trial.ts';

/** What the sum of a run keeps of a trial's new connections of one protocol on one path, from the trigger on. */
export interface PathSummary {
  readonly path: ConnectionPath;
  readonly protocol: Protocol;
  readonly seen: Measured<PathCounts>;
}

export interface PathCounts {
  readonly attempts: number;
  readonly outcomes: Readonly<Partial<Record<AttemptOutcome, number>>>;
  readonly failureWindowMs: Measured<number>;
  /** Answers of the ended pod to attempts that started after ready=false was observed. */
  readonly podAnswersAfterNotReady: Measured<number>;
}

/** None of a trial that was asked for none. */
export function summarizePaths({ newConnections, conditions }: Trial): readonly PathSummary[] {
  if (conditions.newConnectionIntervalMs === 0 || newConnections.status === 'not-measured') return [];
  return newConnections.value.map(({ path, protocol, seen }) => ({
    path,
    protocol,
    seen: mapMeasured(seen, countsOf),
  }));
}

type Seen = Extract<NewConnectionSeries['seen'], { status: 'measured' }>['value'];

const countsOf = ({ attempts, outcomes, failureWindow, podAnswersAfterNotReady }: Seen): PathCounts => ({
  attempts,
  outcomes,
  failureWindowMs: mapMeasured(failureWindow, ({ ms }) => ms),
  podAnswersAfterNotReady,
});
