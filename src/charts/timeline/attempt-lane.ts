import type { Protocol } from '../../domain/flow.ts';
import type { AttemptInterval, NewConnectionSummary } from '../../domain/new-connections.ts';
import { pathWords } from '../../domain/path-words.ts';
import type { TimelinePoint } from '../../domain/time.ts';
import type { Trial } from '../../domain/trial.ts';

/** Attempts in a row that went alike, until the next one that did not, in ms after the trigger. */
export interface AttemptSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /** `pod`: the trial's pod answered; `mixed`: some failed, and they changed too often to be told apart. */
  readonly kind: 'pod' | 'other-pod' | 'failing' | 'mixed';
}

/** From the first failed attempt to the first answered one after which none failed; open: they failed to the end. */
export interface FailingTime {
  readonly at: TimelinePoint;
  readonly untilMs: number;
  readonly isOpen: boolean;
}

/** New connections of one protocol on one path. */
export interface AttemptRow {
  readonly name: string;
  readonly protocol: Protocol;
  readonly spans: readonly AttemptSpan[];
  readonly failing: FailingTime | null;
}

/** A row a path and protocol, of what was measured. */
export function attemptRows({ newConnections, pod }: Trial): readonly AttemptRow[] {
  if (newConnections.status === 'not-measured') return [];
  return newConnections.value.flatMap(({ path, protocol, seen }) =>
    seen.status === 'not-measured'
      ? []
      : [
          {
            name: `${protocol.toUpperCase()} ${pathWords[path]}`,
            protocol,
            spans: spansOf(seen.value.intervals, pod),
            failing: failingTime(seen.value),
          },
        ],
  );
}

function spansOf(intervals: readonly AttemptInterval[], pod: string): readonly AttemptSpan[] {
  return intervals.map(({ fromMs, toMs, outcome, detail }, index) => ({
    fromMs,
    // what an attempt tells holds until the next one tells otherwise
    toMs: intervals[index + 1]?.fromMs ?? toMs,
    kind: kindOf(outcome, detail, pod),
  }));
}

function kindOf(outcome: AttemptInterval['outcome'], detail: string | null, pod: string): AttemptSpan['kind'] {
  if (outcome === 'mixed') return 'mixed';
  if (outcome !== 'answered') return 'failing';
  return detail?.startsWith(`${pod}/`) === true ? 'pod' : 'other-pod';
}

function failingTime({ firstFailure, lastFailure, failureWindow }: NewConnectionSummary): FailingTime | null {
  if (firstFailure === null || lastFailure === null) return null;
  return failureWindow.status === 'measured'
    ? { at: firstFailure, untilMs: failureWindow.value.to.tMs, isOpen: false }
    : { at: firstFailure, untilMs: lastFailure.tMs, isOpen: true };
}
