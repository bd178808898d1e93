import type { Chart, ChartInput } from '../domain/chart.ts';
import type { ChartSpec } from '../domain/chart-spec.ts';
import { levelOf, type Factor, type LevelComparison, type LevelRow } from '../domain/level-comparison.ts';
import { printable } from '../domain/printable.ts';
import { armsWith } from './arm-values.ts';
import type { Group, Row } from './dot-groups.ts';
import { plotGroups } from './dot-plot.ts';
import type { Role } from './palette.ts';

/** What tells levels apart at a glance: when held flows lost their pod, and for how long new ones failed. */
const shown: readonly { readonly metric: string; readonly words: string; readonly role: Role }[] = [
  { metric: 'trigger-to-last-tcp-end', words: 'last TCP end', role: 'tcp' },
  { metric: 'trigger-to-first-udp-end', words: 'first UDP end', role: 'udp' },
  { metric: 'dead-endpoint-window', words: 'dead-endpoint window', role: 'cluster' },
];

/** A scenario a group, a metric and level a row: the levels of one metric stand under each other. */
function groupsOf({ rows }: LevelComparison, levels: readonly string[], input: ChartInput): readonly Group[] {
  const byMetric = shown.map((one) => ({ ...one, arms: armsWith(input.aggregate, one.metric) }));
  const dataAt = (row: LevelRow, level: string, arms: ReturnType<typeof armsWith>) => {
    const id = row.arms.find((one) => one.level === level)?.arm;
    return arms.find(({ arm }) => arm.arm.id === id);
  };
  return rows.flatMap((row): readonly Group[] => {
    const found = byMetric.flatMap(({ words, role, arms }) => {
      const lines = levels.map((level): Row => ({
        label: `${words}, ${printable(level)}`,
        role,
        data: dataAt(row, level, arms),
      }));
      return lines.some(({ data }) => data !== undefined) ? lines : [];
    });
    return found.length === 0 ? [] : [{ label: row.label, rows: found }];
  });
}

function draw(factor: Factor, title: string, input: ChartInput): ChartSpec | undefined {
  const comparison = input.aggregate.comparisons.find((one) => one.factor === factor);
  const drawn = new Set(
    input.aggregate.arms.flatMap((result) => (result.status === 'complete' ? (levelOf(result.arm, factor) ?? []) : [])),
  );
  // one level beside nothing is no comparison
  if (comparison === undefined || drawn.size < 2) return undefined;
  const levels = comparison.levels.filter((level) => drawn.has(level));
  const note = 'every repeat a point; ends count from the trigger, windows from the last TCP end';
  return plotGroups({ title, note, single: false }, groupsOf(comparison, levels, input), input);
}

/** A chart of the levels of a factor side by side. */
export const levelsChart = (factor: Factor, name: string, title: string): Chart => ({
  name,
  title,
  scope: 'run',
  draw: (input) => draw(factor, title, input),
});
