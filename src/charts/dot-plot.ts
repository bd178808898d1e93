import type { ChartInput } from '../domain/chart.ts';
import type { ChartSpec, Drawing } from '../domain/chart-spec.ts';
import { formatSummary } from '../domain/format-ms.ts';
import { armsWith, type ArmValues } from './arm-values.ts';
import { axisFor, positionOn, thinned } from './axis.ts';
import { dotRow, pointDatasets, type Row } from './dot-row.ts';
import { line, px, rect, text, textSize } from './drawing.ts';
import { chartWidth, circumstances, frame, margin, type Key } from './frame.ts';
import { palettes, type Palette, type Role } from './palette.ts';
import { fitText, textWidth } from './text-width.ts';

/** Metrics that are read side by side, on one axis. */
export interface Family {
  readonly title: string;
  /** What the reader is to compare, or must know before. */
  readonly note: string;
  readonly metrics: readonly { readonly name: string; readonly role: Role }[];
}

const rowHeight = 27;
const headingHeight = 22;
const groupGap = 8;
const axisHeight = 28;
const widestLabel = 210;
const columnGap = 14;

interface Group {
  readonly label: string;
  readonly rows: readonly Row[];
}

/** Every trial as a point, its arm's median as a bar, the numbers beside it. Undefined where nothing was measured. */
export function dotPlot(family: Family, input: ChartInput): ChartSpec | undefined {
  const groups = groupsOf(family, input);
  const measured = groups.flatMap(({ rows }) => rows.flatMap(({ data }) => data ?? []));
  if (measured.length === 0) return undefined;
  const palette = palettes[input.theme];
  const single = family.metrics.length === 1;
  const top = frame(
    { title: family.title, subtitle: subtitleOf(family, input), keys: keysOf(measured, palette) },
    palette,
  );
  const columns = columnsOf(groups, single);
  const plotWidth = columns.plotRight - columns.plotLeft;
  const range = axisFor(measured.flatMap(({ values }) => values.map(({ value }) => value)));
  const axis = thinned(range, plotWidth, (label) => textWidth(label, textSize) + 10);
  const plotTop = top.top + 22;
  const { drawings, rows, bottom } = layOut(groups, { top: plotTop, columns, palette, single });
  return {
    altText: altTextOf(family, input, groups),
    width: chartWidth,
    height: bottom + axisHeight + 10,
    config: {
      type: 'scatter',
      data: { labels: [], datasets: pointDatasets(rows, palette, (value) => positionOn(axis, value) * plotWidth) },
      options: {
        indexAxis: 'x',
        background: palette.background,
        font: { size: textSize, color: palette.text },
        padding: { top: plotTop, right: chartWidth - columns.plotRight, bottom: 10, left: columns.plotLeft },
        scales: {
          x: {
            ...axis,
            axis: 'x',
            visible: true,
            color: palette.muted,
            gridColor: palette.grid,
            size: axisHeight,
          },
          y: {
            kind: { type: 'linear' },
            axis: 'y',
            visible: false,
            min: plotTop,
            max: bottom,
            reverse: true,
            marks: [],
            color: palette.muted,
            gridColor: palette.grid,
            size: 0,
          },
        },
        drawings: [
          ...top.drawings,
          text({ x: px(columns.numbers), y: top.top + 8, text: columns.heading, color: palette.muted }),
          ...drawings,
          ...(axis.min < 0 ? [zeroLine(plotTop, bottom, palette)] : []),
        ],
      },
    },
  };
}

function groupsOf(family: Family, { aggregate, metrics }: ChartInput): readonly Group[] {
  const labels = new Map([...metrics].map(({ name, label }) => [name, label]));
  const byMetric = family.metrics
    .map(({ name, role }) => ({ name, role, arms: armsWith(aggregate, name) }))
    .filter(({ arms }) => arms.length > 0);
  const arms = new Map(byMetric.flatMap(({ arms: found }) => found.map(({ arm, label }) => [arm.arm.id, label])));
  return aggregate.arms.flatMap(({ arm }) => {
    const label = arms.get(arm.id);
    if (label === undefined) return [];
    const rows = byMetric.map(({ name, role, arms: found }) => ({
      label: labels.get(name) ?? name,
      role,
      data: found.find((candidate) => candidate.arm.arm.id === arm.id),
    }));
    return [{ label, rows }];
  });
}

const subtitleOf = ({ note }: Family, { aggregate }: ChartInput) => [circumstances(aggregate), note].join(' · ');

function keysOf(data: readonly ArmValues[], { text: ink, muted, background }: Palette): readonly Key[] {
  const firsts = data.some(({ values }) => values.some(({ first }) => first));
  return [
    { label: 'a trial', shape: 'circle', fill: muted, stroke: muted },
    ...(firsts
      ? [{ label: 'the first trial on its cluster', shape: 'rectRot', fill: background, stroke: muted } as const]
      : []),
    { label: 'median', shape: 'line', fill: ink, stroke: ink },
  ];
}

interface Columns {
  readonly label: number;
  readonly plotLeft: number;
  readonly plotRight: number;
  readonly numbers: number;
  readonly heading: string;
}

function columnsOf(groups: readonly Group[], single: boolean): Columns {
  const rows = groups.flatMap((group) =>
    group.rows.map((row) => ({ ...row, label: single ? group.label : row.label })),
  );
  const label = margin + (single ? 6 : 14);
  const labels = Math.min(widestLabel, Math.max(...rows.map((row) => textWidth(row.label, textSize))));
  const heading = groups.length > 0 ? `median (min–max)${trialsOf(groups)}` : '';
  const numbers = Math.max(
    textWidth(heading, textSize),
    ...rows.map(({ data }) => (data === undefined ? 0 : textWidth(numbersOf(data), textSize))),
  );
  const right = chartWidth - margin - 6 - numbers;
  return { label, plotLeft: label + labels + columnGap, plotRight: right - columnGap, numbers: right, heading };
}

/** The number of trials where all arms have the same. */
function trialsOf(groups: readonly Group[]): string {
  const counts = new Set(groups.flatMap(({ rows }) => rows.flatMap(({ data }) => data?.summary.n ?? [])));
  const [n] = counts;
  return counts.size === 1 && n !== undefined ? `, n = ${n}` : '';
}

function numbersOf({ summary, arm }: ArmValues): string {
  const share = summary.n === arm.trials.length ? '' : `, n = ${summary.n}`;
  return `${formatSummary(summary)}${share}`;
}

function layOut(
  groups: readonly Group[],
  { top, columns, palette, single }: { top: number; columns: Columns; palette: Palette; single: boolean },
) {
  const drawings: Drawing[] = [];
  const rows: { row: Row; y: number }[] = [];
  let y = top;
  for (const [index, { label, rows: own }] of groups.entries()) {
    const height = (single ? 0 : headingHeight) + own.length * rowHeight + groupGap;
    const fill = index % 2 === 0 ? palette.stripe : palette.background;
    drawings.push(rect({ ...span(y, y + height), fill }));
    if (!single) {
      // the grid would run through the heading
      drawings.push(rect({ ...span(y, y + headingHeight + 2), fill, layer: 'middle' }));
      const heading = fitText(label, chartWidth - 2 * margin, 13, true);
      drawings.push(text({ x: px(margin + 6), y: y + 15, text: heading, size: 13, bold: true, color: palette.text }));
    }
    y += (single ? 0 : headingHeight) + groupGap / 2;
    for (const row of own) {
      const name = fitText(single ? label : row.label, widestLabel, textSize);
      const middle = y + rowHeight / 2;
      drawings.push(text({ x: px(columns.label), y: middle, text: name, color: palette.text }));
      drawings.push(
        ...dotRow(row, middle, palette, columns.numbers, row.data === undefined ? '' : numbersOf(row.data)),
      );
      rows.push({ row, y: middle });
      y += rowHeight;
    }
    y += groupGap / 2;
  }
  return { drawings, rows, bottom: y };
}

const span = (from: number, to: number) => ({
  from: { x: px(margin), y: from },
  to: { x: px(chartWidth - margin), y: to },
});

const zeroLine = (top: number, bottom: number, palette: Palette): Drawing =>
  line({
    from: { x: { scale: 'x', value: 0 }, y: top },
    to: { x: { scale: 'x', value: 0 }, y: bottom },
    color: palette.muted,
  });

function altTextOf(family: Family, { aggregate }: ChartInput, groups: readonly Group[]): string {
  const arms = groups.map(({ label, rows }) => {
    const facts = rows.flatMap(({ label: metric, data }) =>
      data === undefined ? [] : [family.metrics.length === 1 ? numbersOf(data) : `${metric} ${numbersOf(data)}`],
    );
    return `${label}: ${facts.join(', ')}`;
  });
  return `${family.title}, median (min–max)${trialsOf(groups)}, ${circumstances(aggregate)}. ${arms.join('. ')}.`;
}
