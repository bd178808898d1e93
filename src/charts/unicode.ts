import type { Aggregate } from '../domain/aggregate.ts';
import { formatSummary, nbsp } from '../domain/format-ms.ts';
import type { ScaleMark } from '../domain/chart-spec.ts';
import type { Metric } from '../domain/metric.ts';
import { armsWith, type ArmValues } from './arm-values.ts';
import { axisFor, positionOn, type Axis } from './axis.ts';

/** What the marks of a strip mean; to be shown once. */
export const stripLegend = '· a trial, ² ³ … so many in one place; ● or a full-size digit: the median is there';

const gap = '  ';
const widestLabel = 32;
const leastStrip = 20;

/**
 * A metric of every arm as monospaced text: each trial a mark on one axis, the numbers beside it. No line is longer than
 * `width`, at least 60 characters. Undefined where no arm has the metric.
 */
export function dotStrips(
  aggregate: Aggregate,
  metric: Pick<Metric, 'name' | 'label'>,
  { width }: { readonly width: number },
): string | undefined {
  const arms = armsWith(aggregate, metric.name);
  if (arms.length === 0) return undefined;
  const counts = new Set(arms.map(({ summary }) => summary.n));
  const [shared] = counts.size === 1 ? counts : [];
  const named = (label: string, n: number | undefined) => plain(n === undefined ? label : `${label}, n = ${n}`);
  const names = [
    named(metric.label, shared),
    ...arms.map(({ label, summary }) => named(label, shared === undefined ? summary.n : undefined)),
  ];
  const numbers = arms.map(({ summary }) => plain(formatSummary(summary)));
  const longest = (texts: readonly string[]) => Math.max(...texts.map(lengthOf));
  const numbersWidth = longest(numbers);
  const room = width - numbersWidth - 2 * gap.length;
  const labelWidth = Math.max(1, Math.min(longest(names), widestLabel, room - leastStrip));
  const stripWidth = Math.max(1, room - labelWidth);
  const axis = axisFor(arms.flatMap(({ values }) => values.map(({ value }) => value)));
  const rows = [axisLine(axis, stripWidth), ...arms.map((arm) => strip(arm, axis, stripWidth))];
  return rows
    .map((row, index) => {
      const label = cut(names[index] ?? '', labelWidth).padEnd(labelWidth);
      return [label, row, (numbers[index - 1] ?? '').padStart(index === 0 ? 0 : numbersWidth)].join(gap).trimEnd();
    })
    .join('\n');
}

/** No character that a code block's fence is made of, and only blanks that align. */
const plain = (text: string): string => text.replaceAll(nbsp, ' ').replaceAll('`', "'");

const lengthOf = (text: string): number => Array.from(text).length;

const cut = (text: string, width: number): string =>
  lengthOf(text) <= width
    ? text
    : `${Array.from(text)
        .slice(0, width - 1)
        .join('')}…`;

const columnOf = (axis: Axis, value: number, width: number): number =>
  Math.round(positionOn(axis, value) * (width - 1));

/** As many of the axis's labels as there is room for, evenly, zero among them. */
function axisLine(axis: Axis, width: number): string {
  const zero = Math.max(
    0,
    axis.marks.findIndex(({ value }) => value === 0),
  );
  const strides = axis.marks.map((_, index) => index + 1);
  const lines = strides.map((stride) =>
    labelsAt(
      axis,
      axis.marks.filter((_, index) => (index - zero) % stride === 0),
      width,
    ),
  );
  return lines.find((line) => line !== undefined) ?? '';
}

/** Each label begins at its value's column, or ends where the line does. Undefined where two would touch. */
function labelsAt(axis: Axis, marks: readonly ScaleMark[], width: number): string | undefined {
  let line = '';
  for (const { value, label } of marks) {
    const words = plain(label);
    const start = Math.min(columnOf(axis, value, width), width - lengthOf(words));
    if (start < 0 || (line !== '' && start < lengthOf(line) + 1)) return undefined;
    line = `${line.padEnd(start)}${words}`;
  }
  return line.padEnd(width);
}

function strip({ values, summary }: ArmValues, axis: Axis, width: number): string {
  const counts = new Map<number, number>();
  for (const { value } of values) {
    const column = columnOf(axis, value, width);
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const median = columnOf(axis, summary.median, width);
  return Array.from({ length: width }, (_, column) => {
    const count = counts.get(column) ?? 0;
    return column === median ? heavy(count) : light(count);
  }).join('');
}

/** A cell without the median. All of these are one column wide in every monospaced font. */
function light(count: number): string {
  const superscripts = ['', '·', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
  return count === 0 ? ' ' : (superscripts[count] ?? '⁺');
}

/** The median's cell; it holds no trial where the median lies between two. */
function heavy(count: number): string {
  if (count <= 1) return '●';
  return count <= 9 ? `${count}` : '+';
}
