import { attemptOutcomes, type NewConnectionSeries } from '../domain/new-connections.ts';
import type { TimelinePoint } from '../domain/time.ts';

type Cell = string | number | null;

/** Columns of one protocol on one path of a trial, attempts from the trigger on. Times in milliseconds after the trigger. */
export const newConnectionColumns: readonly string[] = [
  'path',
  'protocol',
  'attempts',
  ...attemptOutcomes,
  'firstFailureMs',
  'lastFailureMs',
  'failureWindowMs',
  'failingMs',
  'lastAnswerOfPodMs',
  'podAnswersAfterNotReady',
  'gapP99Ms',
  'notMeasuredBecause',
];

export function newConnectionCells({ path, protocol, seen }: NewConnectionSeries): readonly Cell[] {
  if (seen.status === 'not-measured') {
    const empty = newConnectionColumns.slice(2, -1).map(() => null);
    return [path, protocol, ...empty, seen.reason];
  }
  const { attempts, outcomes, firstFailure, lastFailure, failureWindow, failingMs, gapMs, ...others } = seen.value;
  const { lastAnswerOfPod, podAnswersAfterNotReady: answers } = others;
  return [
    path,
    protocol,
    attempts,
    ...attemptOutcomes.map((name) => outcomes[name] ?? 0),
    timeOf(firstFailure),
    timeOf(lastFailure),
    failureWindow.status === 'measured' ? failureWindow.value.ms : null,
    failingMs,
    timeOf(lastAnswerOfPod),
    answers.status === 'measured' ? answers.value : null,
    gapMs.p99,
    failureWindow.status === 'measured' ? null : failureWindow.reason,
  ];
}

const timeOf = (point: TimelinePoint | null): number | null => point?.tMs ?? null;
