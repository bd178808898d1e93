import type { ChartInput } from '../domain/chart.ts';
import { formatSummary } from '../domain/format-ms.ts';
import { armsWith, type ArmValues } from './arm-values.ts';
import type { Role } from './palette.ts';

/** Metrics that are read side by side, on one axis. */
export interface Family {
  readonly title: string;
  /** What the reader is to compare, or must know before. */
  readonly note: string;
  readonly metrics: readonly { readonly name: string; readonly role: Role }[];
}

/** One metric of one arm; without data where the arm did not measure it. */
export interface Row {
  readonly label: string;
  readonly role: Role;
  readonly data: ArmValues | undefined;
}

/** An arm with a row for each metric that any arm of the run has. */
export interface Group {
  readonly label: string;
  readonly rows: readonly Row[];
}

/** Arms that have at least one of the metrics, in the order of the run. */
export function groupsOf(family: Family, { aggregate, metrics }: ChartInput): readonly Group[] {
  const labels = new Map([...metrics].map(({ name, label }) => [name, label]));
  const byMetric = family.metrics
    .map(({ name, role }) => ({ name, role, arms: armsWith(aggregate, name) }))
    .filter(({ arms }) => arms.length > 0);
  const arms = new Map(byMetric.flatMap(({ arms: found }) => found.map(({ arm, label }) => [arm.arm.id, label])));
  return [...arms].map(([id, label]) => ({
    label,
    rows: byMetric.map(({ name, role, arms: found }) => ({
      label: labels.get(name) ?? name,
      role,
      data: found.find(({ arm }) => arm.arm.id === id),
    })),
  }));
}

export const dataOf = (groups: readonly Group[]): readonly ArmValues[] =>
  groups.flatMap(({ rows }) => rows.flatMap(({ data }) => data ?? []));

/** A row's numbers; with the number of trials where not all of them measured it. */
export function numbersOf({ summary, arm }: ArmValues): string {
  const share = summary.n === arm.trials.length ? '' : `, n = ${summary.n}`;
  return `${formatSummary(summary)}${share}`;
}

/** What the numbers are, with the number of trials where all rows have the same. */
export function numbersHeading(data: readonly ArmValues[]): string {
  const counts = new Set(data.map(({ summary }) => summary.n));
  const [n] = counts;
  if (counts.size > 1 || n === undefined) return 'median (min–max)';
  return n === 1 ? 'one trial' : `median (min–max), n = ${n}`;
}
