import type { Aggregate, ArmAggregate, MetricAggregate, Summary } from '../domain/aggregate.ts';
import { metrics } from '../metrics/index.ts';
import { completeArms } from '../domain/arm-labels.ts';
import { isAskedFor } from '../domain/optional-observation.ts';
import type { Footnotes } from './footnotes.ts';
import { formatSummary } from '../domain/format-ms.ts';
import { dash } from './format.ts';
import type { TableContext } from './outcome-table.ts';
import { printable } from '../domain/printable.ts';
import { publishedArm, publishedSummary, type PublishedReference } from './published.ts';
import { gapsBetween, renderColumns, wrap } from './text-layout.ts';

/** How a row's times were had, by precision; nothing for exact ones. */
export const precisionMarks: ReadonlyMap<string, string> = new Map([
  ['upper-bound', '†'],
  ['lower-bound', '§'],
  ['unbounded', '¶'],
  ['bounded', '‡'],
]);

/** Every metric, an arm after the other: what fits 80 columns and needs no decoding. */
export function metricsTables(context: TableContext, published: PublishedReference | undefined): readonly string[] {
  const { aggregate, label, width, paint } = context;
  const { gracePeriodSeconds } = aggregate.matrix;
  // where nothing was measured at all, as on emulated nodes, there is no table of it
  const measuredArms = completeArms(aggregate).filter((arm) => shownMetrics(arm, aggregate).length > 0);
  return measuredArms.map((arm) => {
    const reference = published && publishedArm(published, arm.arm.scenario, gracePeriodSeconds);
    const lookUp = (metric: string) => reference && publishedSummary(reference, metric);
    const heading = wrap(`${label(arm)} · n = ${arm.trials.length}`, width).map((line) => paint('bold', line));
    const table = metricsTable(arm, context, reference === undefined ? undefined : { arm: reference.arm, lookUp });
    return [...heading, table, ...firstTrials(arm).flatMap((line) => wrap(line, width, 2))].join('\n');
  });
}

/** Metrics that no arm measured have no row: they are named once, under the tables. */
export const shownMetrics = (arm: ArmAggregate, aggregate: Aggregate): readonly MetricAggregate[] =>
  arm.metrics.filter(({ metric }) => isMeasured(metric, aggregate));

const isMeasured = (metric: string, aggregate: Aggregate): boolean =>
  completeArms(aggregate).some((arm) =>
    arm.metrics.some((candidate) => candidate.metric === metric && candidate.summary.status === 'measured'),
  );

/** A line for each reason why metrics were measured in no arm, of those that the matrix asks for. */
export function unmeasuredMetrics(aggregate: Aggregate): readonly string[] {
  const labels = new Map<string, Set<string>>();
  for (const { metric, summary, notMeasured } of completeArms(aggregate).flatMap((arm) => arm.metrics)) {
    if (summary.status === 'measured' || isMeasured(metric, aggregate) || !isWanted(metric, aggregate)) continue;
    const reasons = new Set([summary.reason, ...notMeasured.map(({ reason }) => reason)]);
    for (const reason of reasons) labels.set(reason, (labels.get(reason) ?? new Set()).add(nameOf(metric)));
  }
  return [...labels].map(([reason, names]) => `not measured: ${[...names].join(', ')}: ${printable(reason)}`);
}

function isWanted(metric: string, { matrix }: Aggregate): boolean {
  const needs = registered.get(metric)?.needs;
  return needs === undefined || isAskedFor(needs, matrix);
}

interface Comparison {
  readonly arm: string;
  readonly lookUp: (metric: string) => Summary | undefined;
}

function metricsTable(
  arm: ArmAggregate,
  { aggregate, notes, width, paint }: TableContext,
  comparison: Comparison | undefined,
): string {
  const rows = shownMetrics(arm, aggregate).map((metric) => [
    labelOf(metric),
    valueOf(metric, notes),
    countOf(metric, arm.trials.length),
    ...(comparison === undefined ? [] : [formatPublished(comparison.lookUp(metric.metric))]),
  ]);
  const widest = (column: number) => Math.max(1, ...rows.map((row) => row[column]?.length ?? 0));
  const [labels, values, counts] = [Math.min(30, widest(0)), widest(1), widest(2)];
  const room = width - labels - counts - gapsBetween(comparison === undefined ? 3 : 4);
  const heading = comparison === undefined ? '' : `published, arm ${comparison.arm}`;
  const publishedWidth =
    comparison === undefined ? 0 : Math.max(heading.length, Math.min(widest(3), Math.floor(room / 2)));
  return renderColumns(
    [
      { heading: 'metric', width: labels },
      { heading: 'median (min–max)', width: Math.max(16, Math.min(values, room - publishedWidth)) },
      { heading: 'n', width: counts },
      ...(comparison === undefined ? [] : [{ heading, width: publishedWidth }]),
    ],
    rows,
    paint,
  );
}

const registered = new Map([...metrics].map((metric) => [metric.name, metric]));
/** A metric's heading; a name that this version does not know stands for itself. */
export const nameOf = (metric: string): string => registered.get(metric)?.label ?? printable(metric);

/** A metric's name, with the marks of the precisions that went into it. */
export function labelOf({ metric, precisions }: MetricAggregate): string {
  const marks = precisions.flatMap((precision) => precisionMarks.get(precision) ?? []).join('');
  return marks === '' ? nameOf(metric) : `${nameOf(metric)} ${marks}`;
}

/** A median with its range; a dash, and the reasons, for what was not measured. */
export function valueOf({ summary, notMeasured }: MetricAggregate, notes: Footnotes): string {
  const reasons = notMeasured.map(({ reason }) => printable(reason));
  if (summary.status === 'not-measured') return `${dash} ${notes.marks([printable(summary.reason), ...reasons])}`;
  return [formatSummary(summary.value), ...(reasons.length === 0 ? [] : [notes.marks(reasons)])].join(' ');
}

/** How many trials measured it: `5`, or `4/5`. */
export function countOf({ summary }: MetricAggregate, trials: number): string {
  const n = summary.status === 'measured' ? summary.value.n : 0;
  return n === trials ? `${n}` : `${n}/${trials}`;
}

export const formatPublished = (summary: Summary | undefined): string =>
  summary === undefined ? '' : formatSummary(summary);

/** First trials meet cold images, caches and addresses: a maximum that is theirs says more of the cluster than of the pod. */
export function firstTrials(arm: ArmAggregate): readonly string[] {
  return arm.trials.flatMap((trial) => {
    if (!trial.firstOnCluster) return [];
    const maxima = arm.metrics
      .filter((metric) => maximumOf(metric, arm) === trial.id)
      .map(({ metric }) => nameOf(metric));
    const which = maxima.length === 0 ? '' : `, and the maximum of: ${maxima.join(', ')}`;
    return [`first on its cluster: ${printable(trial.id)}${which}`];
  });
}

/** The trial with the greatest value; undefined where several have it, or it can't be told whose value is whose. */
function maximumOf({ summary, notMeasured }: MetricAggregate, { trials }: ArmAggregate): string | undefined {
  if (summary.status === 'not-measured' || summary.value.n < 2) return undefined;
  const { values, max } = summary.value;
  const measured = trials.filter(({ id }) => !notMeasured.some(({ trial }) => trial === id));
  if (measured.length !== values.length || values.filter((value) => value === max).length !== 1) return undefined;
  return measured[values.indexOf(max)]?.id;
}
