import type { Aggregate, ArmResult, TrialSummary } from '../domain/aggregate.ts';
import { zeroFailuresUpperBound } from '../stats/zero-failures-upper-bound.ts';
import { rangeConfidence } from '../stats/range-confidence.ts';
import { armLabeller, completeArms } from './arm-labels.ts';
import { findings } from './findings.ts';
import { Footnotes } from './footnotes.ts';
import { formatPercent, plural } from './format.ts';
import { allAsExpected, conditionsLine, environmentLine, headline } from './headline.ts';
import { metricsTables, precisionMarks, unmeasuredMetrics } from './metrics-table.ts';
import { outcomeTable, type TableContext } from './outcome-table.ts';
import { printable } from './printable.ts';
import { publishedArm, type PublishedReference } from './published.ts';
import { paintWith, unbound, wrap } from './text-layout.ts';

export interface TableOptions {
  /** Columns of the terminal; 72 at least are used. */
  readonly width: number;
  readonly color: boolean;
  readonly published?: PublishedReference;
}

/** The whole run as text: the answer first, then what stands against it, then the evidence. */
export function renderTable(aggregate: Aggregate, options: TableOptions): string {
  const width = Math.max(72, options.width);
  const paint = paintWith(options.color);
  const notes = new Footnotes();
  const label = armLabeller(aggregate);
  const context: TableContext = { aggregate, label, notes, width, paint };
  const title = wrap(headline(aggregate), width, 2);
  const environment = wrap(environmentLine(aggregate, notes), width, 2);
  const conditions = wrap(conditionsLine(aggregate, options.published), width, 2);
  const blocks = [
    [...title.map((line) => paint(allAsExpected(aggregate) ? 'green' : 'red', line)), ...environment, ...conditions],
    [completeArms(aggregate).length === 0 ? 'No arm is complete: there is nothing to average.' : outcomeTable(context)],
    findings(aggregate, label).flatMap(({ severity, text }) =>
      wrap(`${severity === 'error' ? '✗' : '!'} ${text}`, width, 2).map((line) =>
        paint(severity === 'error' ? 'red' : 'yellow', line),
      ),
    ),
    ...metricsTables(context, options.published).map((table) => [table]),
    unmeasuredMetrics(aggregate).flatMap((line) => wrap(line, width, 2)),
    absentArms(aggregate, label).flatMap((line) => wrap(line, width, 2)),
    failedAttempts(aggregate).flatMap((line) => wrap(line, width, 2)),
    remarks(aggregate, options.published).flatMap((line) => wrap(line, width, 2)),
    notes.lines().flatMap((line) => wrap(line, width, 4)),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return unbound(`${text.join('\n\n')}\n`);
}

const absentArms = ({ arms }: Aggregate, label: (arm: ArmResult) => string): readonly string[] =>
  arms.flatMap((arm) =>
    arm.status === 'complete' ? [] : [`${arm.status}, not averaged: ${label(arm)}: ${printable(arm.reason)}`],
  );

const failedAttempts = ({ failedAttempts: attempts }: Aggregate): readonly string[] =>
  attempts.map(({ trial, reason }) => `failed attempt: ${printable(`${trial}: ${reason}`)}`);

/** What the numbers can bear, and where they come from. */
function remarks(aggregate: Aggregate, published: PublishedReference | undefined): readonly string[] {
  const complete = completeArms(aggregate);
  const used = new Set(complete.flatMap(({ metrics }) => metrics.flatMap(({ precisions }) => precisions)));
  const mark = (precision: string, meaning: string) =>
    used.has(precision) ? [`${precisionMarks.get(precision) ?? ''} ${meaning}`] : [];
  return [
    ...[...new Set(complete.map(({ trials }) => trials.length))].flatMap((n) => statisticsOf(n, aggregate)),
    ...(aggregate.warmUps === 0
      ? []
      : [
          `${plural(aggregate.warmUps, 'warm-up')} ran before and ${aggregate.warmUps === 1 ? 'is' : 'are'} in no number above.`,
        ]),
    ...clockLines(complete.flatMap(({ trials }) => trials)),
    ...mark('upper-bound', 'includes a time of receipt: it happened no later.'),
    ...mark('bounded', 'includes a time known within bounds, which every trial report holds.'),
    ...(published !== undefined && compares(aggregate, published) ? [`Published: ${printable(published.source)}`] : []),
  ];
}

/** What the times rest on: the clocks, and how late the client's own stamps can be. */
function clockLines(trials: readonly TrialSummary[]): readonly string[] {
  if (trials.length === 0) return [];
  const proven = trials.filter(({ clock }) => clock === 'same-kernel').length;
  const exact = proven === 0 ? '' : ', so the probe’s times are exact there';
  const latest = Math.ceil(Math.max(...trials.map(({ stampDelayMs }) => stampDelayMs)));
  return [
    `One clock of probe and client was shown in ${proven} of ${plural(trials.length, 'trial')}${exact}; the client’s own stamps were late by at most ${latest} ms.`,
  ];
}

const compares = (aggregate: Aggregate, published: PublishedReference): boolean =>
  completeArms(aggregate).some(({ arm }) => publishedArm(published, arm.scenario, aggregate.matrix.gracePeriodSeconds));

/** What `n` repeats say of the median, and of failures when there were none. */
function statisticsOf(n: number, aggregate: Aggregate): readonly string[] {
  if (n === 0) return [];
  const same = completeArms(aggregate).filter(({ trials }) => trials.length === n);
  const range =
    n === 1 ? 'one trial has no range' : `the range covers the true median with ${formatPercent(rangeConfidence(n))}`;
  const failureFree = same.some(({ verdict }) => verdict === 'as-expected');
  const failures = `; 0 failures of ${n} still allows a failure rate of ${Math.round(zeroFailuresUpperBound(n) * 100)} % (95 % upper bound)`;
  return [`n = ${n}: ${range}${failureFree ? failures : ''}.`];
}
