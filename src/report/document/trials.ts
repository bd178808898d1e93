import type { Aggregate, ArmAggregate, MetricAggregate, OutcomeCount, TrialSummary } from '../../domain/aggregate.ts';
import { completeArms } from '../../domain/arm-labels.ts';
import { formatMs } from '../../domain/format-ms.ts';
import type { Measured } from '../../domain/measured.ts';
import { printable } from '../../domain/printable.ts';
import { metrics as registry } from '../../metrics/index.ts';
import { Footnotes } from '../footnotes.ts';
import { dash, plural } from '../format.ts';
import { nameOf } from '../metrics-table.ts';
import { metricOf, phrase } from '../outcome-table.ts';
import { clip, code, longestCell, paragraph, type Block, type Line } from './model.ts';

/** Ran first on its cluster. */
const firstMark = '◇';

/** When what happened, in the order in which it mostly does. */
export const keyTimes: readonly string[] = [
  'trigger-to-sigterm',
  'trigger-to-ready-false',
  'trigger-to-last-tcp-end',
  'trigger-to-first-udp-end',
  'trigger-to-container-terminated',
  'trigger-to-endpoint-removed',
];

export const allTimes: readonly string[] = registry.names();

/** Every trial of every complete arm: how its flows ended, its exit code, and `times`, by the names of metrics. */
export function trialsOf(aggregate: Aggregate, times: readonly string[]): readonly Block[] {
  const arms = completeArms(aggregate);
  const trials = arms.flatMap((arm) => arm.trials);
  if (trials.length === 0) return [];
  const notes = new Footnotes();
  const shown = times.filter((name) => arms.some((arm) => metricOf(arm, name)?.summary.status === 'measured'));
  const table: Block = {
    kind: 'table',
    caption: 'Every trial',
    captionRepeats: true,
    columns: ['trial', 'TCP', 'UDP', 'exit', ...shown.map(nameOf)],
    rows: arms.flatMap((arm) => {
      const columns = shown.map((name) => timesByTrial(arm, metricOf(arm, name)));
      return arm.trials.map((trial) => rowOf(trial, columns, notes));
    }),
  };
  const firsts = trials.some(({ firstOnCluster }) => firstOnCluster);
  return [
    table,
    ...paragraph([
      ...(firsts ? [`${firstMark} ran first on its cluster, where images, caches and addresses are cold.`] : []),
      ...notes.lines().map((line) => clip(line, 2 * longestCell)),
    ]),
  ];
}

function rowOf(
  trial: TrialSummary,
  columns: readonly ((trial: string) => Measured<number>)[],
  notes: Footnotes,
): readonly Line[] {
  const { id, firstOnCluster, tcp, udp, exitCode } = trial;
  return [
    [code(clip(printable(id), 100)), ...(firstOnCluster ? [` ${firstMark}`] : [])],
    [ends(tcp)],
    [`${ends(udp)}${laterRehomed(trial)}`],
    [orDash(exitCode, String, notes)],
    ...columns.map((timeOf): Line => [orDash(timeOf(id), formatMs, notes)]),
  ];
}

const ends = (counts: readonly OutcomeCount[]): string =>
  counts.length === 0 ? dash : clip(phrase(counts.toSorted((a, b) => b.flows - a.flows)), longestCell);

/** Flows that had ended in another way before another pod answered them. */
function laterRehomed({ udp, udpRehomed }: TrialSummary): string {
  const later = udpRehomed - (udp.find(({ outcome }) => outcome === 'severed (rehomed)')?.flows ?? 0);
  return later > 0 ? `; ${plural(later, 'flow')} re-homed later` : '';
}

const orDash = (value: Measured<number>, write: (value: number) => string, notes: Footnotes): string =>
  value.status === 'measured' ? write(value.value) : `${dash} ${notes.mark(printable(value.reason))}`;

/** Gives each trial its value, or the reason why it has none. */
function timesByTrial(
  { trials }: ArmAggregate,
  metric: MetricAggregate | undefined,
): (trial: string) => Measured<number> {
  const unknown = (reason: string) => ({ status: 'not-measured', reason }) as const;
  if (metric === undefined) return () => unknown('no such metric in this aggregate');
  const { summary, notMeasured } = metric;
  const reasons = new Map(notMeasured.map(({ trial, reason }) => [trial, reason]));
  if (summary.status === 'not-measured') return (trial) => unknown(reasons.get(trial) ?? summary.reason);
  const { values } = summary.value;
  const measured = trials.filter(({ id }) => !reasons.has(id));
  const byTrial = new Map(measured.map(({ id }, index) => [id, values[index]]));
  return (trial) => {
    const value = measured.length === values.length ? byTrial.get(trial) : undefined;
    if (value !== undefined) return { status: 'measured', value };
    return unknown(reasons.get(trial) ?? 'whose value is whose can’t be told');
  };
}
