import type { Aggregate, TrialSummary } from '../domain/aggregate.ts';
import { rangeConfidence } from '../stats/range-confidence.ts';
import { zeroFailuresUpperBound } from '../stats/zero-failures-upper-bound.ts';
import { completeArms } from '../domain/arm-labels.ts';
import { errorBounds } from './causes.ts';
import { lostWhileDraining } from './expectation-of.ts';
import { formatPercent, plural } from './format.ts';
import { precisionMarks } from './metrics-table.ts';
import { printable } from '../domain/printable.ts';
import { publishedArm, type PublishedReference } from './published.ts';

/** What the numbers can bear, and where they come from. */
export const remarks = (aggregate: Aggregate, published: PublishedReference | undefined): readonly string[] => [
  ...statistics(aggregate),
  ...origins(aggregate, published),
];

/** What the repeats of each arm say of the true median, and of failures when there were none. */
export const statistics = (aggregate: Aggregate): readonly string[] =>
  [...new Set(completeArms(aggregate).map(({ trials }) => trials.length))].flatMap((n) => statisticsOf(n, aggregate));

/** What ran unrecorded, what the times rest on, what the marks mean, and whose the published numbers are. */
export function origins(aggregate: Aggregate, published: PublishedReference | undefined): readonly string[] {
  const complete = completeArms(aggregate);
  const losing = complete.some((arm) => lostWhileDraining(arm) !== undefined);
  const used = new Set(complete.flatMap(({ metrics }) => metrics.flatMap(({ precisions }) => precisions)));
  const mark = (precision: string, meaning: string) =>
    used.has(precision) ? [`${precisionMarks.get(precision) ?? ''} ${meaning}`] : [];
  return [
    ...(complete.length === 0
      ? []
      : [
          `✓ means: TCP and exit code as the scenario expects${losing ? ' of its data plane, which loses flows where a line says so' : ''}. What becomes of UDP is not judged.`,
        ]),
    ...(aggregate.warmUps === 0
      ? []
      : [
          `${plural(aggregate.warmUps, 'warm-up')} ran before and ${aggregate.warmUps === 1 ? 'is' : 'are'} in no number above.`,
        ]),
    ...clockLines(complete.flatMap(({ trials }) => trials)),
    ...errorBounds(aggregate),
    ...mark('upper-bound', 'ends at a time of receipt: it was no more.'),
    ...mark('lower-bound', 'starts at a time of receipt: it was no less.'),
    ...mark('unbounded', 'lies between two times of receipt: it may have been less or more.'),
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

function statisticsOf(n: number, aggregate: Aggregate): readonly string[] {
  if (n === 0) return [];
  const same = completeArms(aggregate).filter(({ trials }) => trials.length === n);
  const range =
    n === 1 ? 'one trial has no range' : `the range covers the true median with ${formatPercent(rangeConfidence(n))}`;
  const failureFree = same.some(({ verdict }) => verdict === 'as-expected');
  const failures = `; 0 failures of ${n} still allows a failure rate of ${Math.round(zeroFailuresUpperBound(n) * 100)} % (95 % upper bound)`;
  return [`n = ${n}: ${range}${failureFree ? failures : ''}.`];
}
