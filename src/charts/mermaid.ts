import type { Aggregate } from '../domain/aggregate.ts';
import { nbsp } from '../domain/format-ms.ts';
import type { Metric } from '../domain/metric.ts';
import { armsWith } from './arm-values.ts';
import { linearAxis } from './axis.ts';

/**
 * A metric's medians as a Mermaid bar chart, an arm a bar: the text of a `mermaid` code block. Undefined where no arm has
 * the metric, or a median is negative: Mermaid's bars begin at the lower end of the axis, not at zero. It has no
 * logarithmic axis and no points either: `dotStrips` shows the trials.
 */
export function medianBars(aggregate: Aggregate, metric: Pick<Metric, 'name' | 'label' | 'unit'>): string | undefined {
  const arms = armsWith(aggregate, metric.name);
  const medians = arms.map(({ summary }) => summary.median);
  if (arms.length === 0 || Math.min(...medians) < 0) return undefined;
  const axis = linearAxis(0, Math.max(...medians));
  const counts = [...new Set(arms.map(({ summary }) => summary.n))];
  const sample = counts.length === 1 ? ` of ${counts.join('')}` : '';
  return [
    'xychart-beta horizontal',
    `    title ${quoted(`${metric.label}: median${sample}`)}`,
    `    x-axis [${arms.map(({ label }) => quoted(label)).join(', ')}]`,
    `    y-axis ${quoted(metric.unit)} ${number(axis.min)} --> ${number(axis.max)}`,
    `    bar [${medians.map(number).join(', ')}]`,
  ].join('\n');
}

/**
 * A Mermaid string. It has no escape for a double quote; a backtick in it would begin Markdown, `%%` a comment or a
 * directive, and `<`, `>` and `&` are read as HTML where labels are.
 */
const quoted = (text: string): string =>
  `"${text
    .replaceAll(nbsp, ' ')
    .replaceAll(/["`]/g, "'")
    .replaceAll(/%(?=%)/g, '% ')
    .replaceAll(/[<>&;#\\]/g, ' ')
    .trim()}"`;

/** Plain decimals: Mermaid reads no exponent. */
const number = (value: number): string => `${Number(value.toFixed(1))}`;
