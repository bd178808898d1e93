import type { Aggregate, ArmAggregate, MetricAggregate, OutcomeCount } from '../domain/aggregate.ts';
import { completeArms } from '../domain/arm-labels.ts';
import type { Footnotes } from './footnotes.ts';
import { formatMs, formatSummary, nbsp } from '../domain/format-ms.ts';
import { outcomeWords } from '../domain/outcome-words.ts';
import { dash } from './format.ts';
import { printable } from '../domain/printable.ts';
import { gapsBetween, renderColumns, type Paint } from './text-layout.ts';

/** Flows with these never ended, so they have no time. */
const endless: ReadonlySet<string> = new Set(['survived-observation-window', 'not-measured']);

export const verdictMarks = { 'as-expected': '✓', 'not-as-expected': '✗', inconclusive: '?' } as const;
const colors = { 'as-expected': 'green', 'not-as-expected': 'red', inconclusive: 'yellow' } as const;

export interface TableContext {
  readonly aggregate: Aggregate;
  readonly label: (arm: ArmAggregate) => string;
  readonly notes: Footnotes;
  readonly width: number;
  readonly paint: Paint;
}

/** What became of the flows, an arm a row. */
export function outcomeTable({ aggregate, label, notes, width, paint }: TableContext): string {
  const { flows } = aggregate.matrix;
  const rows = completeArms(aggregate).map((arm) => [
    `${paint(colors[arm.verdict], verdictMarks[arm.verdict])} ${label(arm)}`,
    tcpCell(arm, notes),
    udpCell(arm, notes),
    exitCodes(arm, notes),
  ]);
  const exit = Math.max(4, ...rows.map((row) => Math.min(row[3]?.length ?? 0, 10)));
  const labels = Math.min(28, Math.max(12, ...completeArms(aggregate).map((arm) => label(arm).length + 2)));
  const rest = Math.max(24, width - gapsBetween(4) - exit - labels);
  const udp = Math.min(52, Math.ceil(rest / 2));
  return renderColumns(
    [
      { heading: '  how it ended', width: labels },
      { heading: `TCP, ${flows.tcp} flows: last end`, width: Math.min(44, rest - udp) },
      { heading: `UDP, ${flows.udp} flows: first end`, width: udp },
      { heading: 'exit', width: exit },
    ],
    rows,
    paint,
  );
}

/** What became of the TCP flows of all repeats, and when the last ended. */
export function tcpCell(arm: ArmAggregate, notes: Footnotes): string {
  const counts = totals(arm, 'tcp');
  return counts.length === 0 ? dash : `${phrase(counts)}${when(arm, 'last', counts, notes)}`;
}

/** What became of the UDP flows of all repeats, and when the first ended. */
export function udpCell(arm: ArmAggregate, notes: Footnotes): string {
  const ended = udpEnds(arm, notes);
  if (ended === undefined) return dash;
  const drainLeft = metricOf(arm, 'drain-left-at-udp-rehome')?.summary;
  const unused = drainLeft?.status === 'measured' ? [`${formatMs(drainLeft.value.median)} of drain unused`] : [];
  return [ended, ...unused].join(', ');
}

/** How and when the UDP flows of all repeats ended; undefined where there were none. */
export function udpEnds(arm: ArmAggregate, notes: Footnotes): string | undefined {
  const counts = totals(arm, 'udp');
  if (counts.length === 0) return undefined;
  return [`${phrase(counts)}${whenUdp(arm, counts, notes)}`, ...laterRehomed(arm, counts)].join(', ');
}

/** Flows that had ended in another way before another pod answered them. */
function laterRehomed(arm: ArmAggregate, counts: readonly OutcomeCount[]): readonly string[] {
  const rehomed = arm.trials.reduce((sum, trial) => sum + trial.udpRehomed, 0);
  const atOnce = counts.find(({ outcome }) => outcome === 'severed (rehomed)')?.flows ?? 0;
  if (rehomed <= atOnce) return [];
  const total = counts.reduce((sum, { flows }) => sum + flows, 0);
  const share = atOnce === 0 && rehomed === total ? 'then' : `then ${rehomed - atOnce} of ${total}`;
  const first = metricOf(arm, 'trigger-to-first-udp-rehome')?.summary;
  // re-homing that ended a flow has its time in the table of metrics; the first one of all tells nothing of the later
  const at = atOnce === 0 && first?.status === 'measured' ? ` at ${formatSummary(first.value)}` : '';
  return [`${share} re-homed${at}`];
}

/** Outcomes of all repeats together, the most frequent first. */
export function totals({ trials }: ArmAggregate, protocol: 'tcp' | 'udp'): readonly OutcomeCount[] {
  const sums = new Map<string, number>();
  for (const { outcome, flows } of trials.flatMap((trial) => trial[protocol])) {
    sums.set(outcome, (sums.get(outcome) ?? 0) + flows);
  }
  return [...sums].map(([outcome, flows]) => ({ outcome, flows })).toSorted((a, b) => b.flows - a.flows);
}

/** Counts in words: `all reset`, or `9 of 10 reset, 1 of 10 survived`. */
export function phrase(counts: readonly OutcomeCount[]): string {
  const word = ({ outcome }: OutcomeCount) => outcomeWords(outcome);
  const [only, ...others] = counts;
  if (only !== undefined && others.length === 0) return `all ${word(only)}`;
  const total = counts.reduce((sum, { flows }) => sum + flows, 0);
  return counts.map((count) => `${count.flows} of ${total} ${word(count)}`).join(', ');
}

const endMetrics = { last: 'trigger-to-last-tcp-end', first: 'trigger-to-first-udp-end' } as const;

function when(
  arm: ArmAggregate,
  which: keyof typeof endMetrics,
  counts: readonly OutcomeCount[],
  notes: Footnotes,
): string {
  const summary = metricOf(arm, endMetrics[which])?.summary;
  if (summary === undefined || counts.every(({ outcome }) => endless.has(outcome))) return '';
  const time =
    summary.status === 'measured'
      ? formatSummary(summary.value)
      : `${dash}${nbsp}${notes.mark(printable(summary.reason))}`;
  // the time is of one flow, and which of several ways it ended in is not known here
  return counts.length === 1 ? ` at ${time}` : `, the ${which} at ${time}`;
}

/** Re-homing is told by when the other pod first answered; every other end by when the first flow went unserved. */
function whenUdp(arm: ArmAggregate, counts: readonly OutcomeCount[], notes: Footnotes): string {
  const rehomed = metricOf(arm, 'trigger-to-first-udp-rehome')?.summary;
  const [only, ...others] = counts;
  return only?.outcome === 'severed (rehomed)' && others.length === 0 && rehomed?.status === 'measured'
    ? ` at ${formatSummary(rehomed.value)}`
    : when(arm, 'first', counts, notes);
}

export const metricOf = ({ metrics }: ArmAggregate, name: string): MetricAggregate | undefined =>
  metrics.find(({ metric }) => metric === name);

/** The exit codes of the repeats, counted where they differ. */
export function exitCodes({ trials }: ArmAggregate, notes: Footnotes): string {
  const counts = new Map<string, number>();
  for (const { exitCode } of trials) {
    const text =
      exitCode.status === 'measured' ? `${exitCode.value}` : `${dash} ${notes.mark(printable(exitCode.reason))}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, times]) => (counts.size === 1 ? text : `${text} ×${times}`)).join(', ');
}
