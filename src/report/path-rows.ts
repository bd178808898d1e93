import type { Aggregate, ArmAggregate, Summary } from '../domain/aggregate.ts';
import { completeArms } from '../domain/arm-labels.ts';
import { formatSummary } from '../domain/format-ms.ts';
import type { Protocol } from '../domain/flow.ts';
import { notMeasured, measured, type Measured } from '../domain/measured.ts';
import {
  attemptOutcomes,
  connectionPaths,
  type AttemptOutcome,
  type ConnectionPath,
} from '../domain/new-connections.ts';
import type { PathCounts } from '../domain/path-summary.ts';
import { pathWords } from '../domain/path-words.ts';
import { printable } from '../domain/printable.ts';
import { summarize } from '../stats/summarize.ts';
import { dash } from './format.ts';

/** New connections of one protocol on one path, over the repeats of an arm that dialled there. */
export interface PathRow {
  readonly path: ConnectionPath;
  readonly protocol: Protocol;
  /** Attempts since the trigger, of all repeats together. */
  readonly attempts: number;
  readonly outcomes: Readonly<Partial<Record<AttemptOutcome, number>>>;
  /** In ms, a value a repeat. */
  readonly failureWindow: Measured<Summary>;
  /** Answers of the ended pod that were asked for after ready=false, a count a repeat. */
  readonly answersAfterNotReady: Measured<Summary>;
}

const protocols = ['tcp', 'udp'] as const;

/** Rows of an arm, a path after the other; none for a path on which no repeat dialled. */
export function pathRows({ trials }: ArmAggregate): readonly PathRow[] {
  return connectionPaths.flatMap((path) =>
    protocols.flatMap((protocol) => {
      const seen = trials.flatMap(({ newConnections = [] }) =>
        newConnections.flatMap((one) =>
          one.path === path && one.protocol === protocol && one.seen.status === 'measured' ? [one.seen.value] : [],
        ),
      );
      return seen.length === 0 ? [] : [rowOf(path, protocol, seen)];
    }),
  );
}

function rowOf(path: ConnectionPath, protocol: Protocol, seen: readonly PathCounts[]): PathRow {
  const total = (read: (counts: PathCounts) => number) => seen.reduce((sum, counts) => sum + read(counts), 0);
  const outcomes = attemptOutcomes.map((name) => [name, total((counts) => counts.outcomes[name] ?? 0)] as const);
  return {
    path,
    protocol,
    attempts: total(({ attempts }) => attempts),
    outcomes: Object.fromEntries(outcomes.filter(([, count]) => count > 0)),
    failureWindow: summaryOf(seen.map(({ failureWindowMs }) => failureWindowMs)),
    answersAfterNotReady: summaryOf(seen.map(({ podAnswersAfterNotReady }) => podAnswersAfterNotReady)),
  };
}

/** Of those that were measured; the first reason where none was. */
function summaryOf(values: readonly Measured<number>[]): Measured<Summary> {
  const [first, ...others] = values.flatMap((value) => (value.status === 'measured' ? [value.value] : []));
  if (first !== undefined) return measured(summarize([first, ...others]));
  return notMeasured(values.flatMap((value) => (value.status === 'measured' ? [] : [value.reason]))[0] ?? 'no repeat');
}

/** Ways in which attempts of any of the rows went, in the order of the vocabulary. */
export const outcomesIn = (rows: readonly PathRow[]): readonly AttemptOutcome[] =>
  attemptOutcomes.filter((name) => rows.some(({ outcomes }) => (outcomes[name] ?? 0) > 0));

export const windowText = ({ failureWindow }: PathRow): string =>
  failureWindow.status === 'measured' ? formatSummary(failureWindow.value) : dash;

/** As `212 (204–230)`: attempts are counted, not timed. */
export function countText(summary: Measured<Summary>): string {
  if (summary.status === 'not-measured') return dash;
  const { n, median, min, max } = summary.value;
  return n === 1 || min === max ? `${Math.round(median)}` : `${Math.round(median)} (${min}–${max})`;
}

/** A line for each reason why a path, or its failure window, was measured in no arm. */
export function unmeasuredPaths(aggregate: Aggregate): readonly string[] {
  const trials = completeArms(aggregate).flatMap((arm) => arm.trials);
  const all = trials.flatMap(({ newConnections = [] }) => newConnections);
  const reasons = new Map<string, Set<string>>();
  for (const { path, protocol, seen } of all) {
    const isMeasured = all.some(
      (one) => one.path === path && one.protocol === protocol && one.seen.status === 'measured',
    );
    if (isMeasured || seen.status === 'measured') continue;
    reasons.set(seen.reason, (reasons.get(seen.reason) ?? new Set()).add(pathWords[path]));
  }
  return [...reasons].map(
    ([reason, paths]) => `not measured: new connections ${[...paths].join(', ')}: ${printable(reason)}`,
  );
}
