import type { ChartInput } from '../domain/chart.ts';
import type { ChartScale, ChartSpec, Drawing } from '../domain/chart-spec.ts';
import type { ArmValues } from './arm-values.ts';
import { axisFor, positionOn, thinned, type Axis } from './axis.ts';
import { dataOf, groupsOf, numbersHeading, numbersOf, type Family, type Group, type Row } from './dot-groups.ts';
import { dotRow, pointDatasets, type PlacedRow } from './dot-row.ts';
import { line, px, rect, text, textSize } from './drawing.ts';
import { chartWidth, circumstances, frame, margin, type Key } from './frame.ts';
import { palettes, type Palette } from './palette.ts';
import { swarm } from './swarm.ts';
import { fitText, textWidth } from './text-width.ts';

const headingHeight = 22;
const groupGap = 8;
const axisHeight = 28;
const widestLabel = 210;
const columnGap = 14;

/** Every trial as a point, its arm's median as a bar, the numbers beside it. Undefined where nothing was measured. */
export const dotPlot = (family: Family, input: ChartInput): ChartSpec | undefined =>
  plotGroups({ ...family, single: family.metrics.length === 1 }, groupsOf(family, input), input);

/** What a plot says besides its rows. */
export interface PlotText extends Pick<Family, 'title' | 'note'> {
  /** A group is one row, which needs no heading. */
  readonly single: boolean;
}

/** The same for groups that were made otherwise. */
export function plotGroups(family: PlotText, groups: readonly Group[], input: ChartInput): ChartSpec | undefined {
  const { single } = family;
  const data = dataOf(groups);
  if (data.length === 0) return undefined;
  const palette = palettes[input.theme];
  const where = circumstances(input.aggregate);
  const top = frame(
    { title: family.title, subtitle: `${where} · ${family.note}`, keys: keysOf(data, palette) },
    palette,
  );
  const columns = columnsOf(groups, single);
  const plotWidth = columns.plotRight - columns.plotLeft;
  const range = axisFor(data.flatMap(({ values }) => values.map(({ value }) => value)));
  const axis = thinned(range, plotWidth, (label) => textWidth(label, textSize) + 10);
  const plot = { top: top.top + 22, columns, single, offsetsOf: offsetsOn(axis, plotWidth) };
  const { drawings, rows, bottom } = layOut(groups, plot, palette);
  return {
    altText: altTextOf(family, where, groups),
    width: chartWidth,
    height: bottom + axisHeight + 10,
    config: {
      type: 'scatter',
      data: { labels: [], datasets: pointDatasets(rows, palette) },
      options: {
        indexAxis: 'x',
        background: palette.background,
        font: { size: textSize, color: palette.text },
        padding: { top: plot.top, right: chartWidth - columns.plotRight, bottom: 10, left: columns.plotLeft },
        scales: scalesOf(axis, { top: plot.top, bottom }, palette),
        drawings: [
          ...top.drawings,
          text({ x: px(columns.numbers), y: top.top + 8, text: numbersHeading(data), color: palette.muted }),
          ...drawings,
          ...(axis.min < 0 ? [zeroLine(plot.top, bottom, palette)] : []),
        ],
      },
    },
  };
}

function keysOf(data: readonly ArmValues[], { text: ink, muted, background }: Palette): readonly Key[] {
  const firsts = data.some(({ values }) => values.some(({ first }) => first));
  const medians = data.some(({ summary }) => summary.n > 1);
  return [
    { label: 'a trial', shape: 'circle', fill: muted, stroke: muted },
    ...(firsts
      ? [{ label: 'the first trial on its cluster', shape: 'rectRot', fill: background, stroke: muted } as const]
      : []),
    ...(medians ? [{ label: 'median', shape: 'line', fill: ink, stroke: ink } as const] : []),
  ];
}

/** Where the parts of a row begin and end, in CSS pixels. */
interface Columns {
  readonly label: number;
  readonly plotLeft: number;
  readonly plotRight: number;
  readonly numbers: number;
}

function columnsOf(groups: readonly Group[], single: boolean): Columns {
  const label = margin + (single ? 6 : 14);
  const names = groups.flatMap((group) => group.rows.map((row) => (single ? group.label : row.label)));
  const widest = (texts: readonly string[]) => Math.max(...texts.map((one) => textWidth(one, textSize)));
  const data = dataOf(groups);
  const numbers = chartWidth - margin - 6 - widest([numbersHeading(data), 'not measured', ...data.map(numbersOf)]);
  return {
    label,
    plotLeft: label + Math.min(widestLabel, widest(names)) + columnGap,
    plotRight: numbers - columnGap,
    numbers,
  };
}

const offsetsOn =
  (axis: Axis, width: number) =>
  ({ data }: Row): readonly number[] =>
    swarm((data?.values ?? []).map(({ value }) => positionOn(axis, value) * width));

interface Plot {
  readonly top: number;
  readonly columns: Columns;
  /** Rows are arms, without headings. */
  readonly single: boolean;
  readonly offsetsOf: (row: Row) => readonly number[];
}

function layOut(groups: readonly Group[], { top, columns, single, offsetsOf }: Plot, palette: Palette) {
  // rows are as high as the highest stack of points needs
  const reach = Math.max(...groups.flatMap(({ rows }) => rows.flatMap(offsetsOf).map(Math.abs)));
  const height = 21 + 0.6 * reach;
  const drawings: Drawing[] = [];
  const placed: PlacedRow[] = [];
  let y = top;
  for (const [index, { label, rows }] of groups.entries()) {
    const fill = index % 2 === 0 ? palette.stripe : palette.background;
    const heading = single ? 0 : headingHeight;
    drawings.push(rect({ ...span(y, y + heading + rows.length * height + groupGap), fill }));
    if (!single) drawings.push(...headingOf(label, y, fill, palette));
    y += heading + groupGap / 2;
    for (const row of rows) {
      const name = fitText(single ? label : row.label, widestLabel, textSize);
      const one = { row, y: y + height / 2, height, offsets: offsetsOf(row) };
      drawings.push(text({ x: px(columns.label), y: one.y, text: name, color: palette.text }));
      drawings.push(...dotRow(one, palette, columns.numbers));
      placed.push(one);
      y += height;
    }
    y += groupGap / 2;
  }
  return { drawings, rows: placed, bottom: y };
}

/** With the grid taken away under it. */
function headingOf(label: string, y: number, fill: string, palette: Palette): readonly Drawing[] {
  const words = fitText(label, chartWidth - 2 * margin - 12, 13, true);
  return [
    rect({ ...span(y, y + headingHeight + 2), fill, layer: 'middle' }),
    text({ x: px(margin + 6), y: y + 15, text: words, size: 13, bold: true, color: palette.text }),
  ];
}

const span = (from: number, to: number) => ({
  from: { x: px(margin), y: from },
  to: { x: px(chartWidth - margin), y: to },
});

function scalesOf(
  axis: Axis,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  { muted, grid }: Palette,
): Readonly<Record<'x' | 'y', ChartScale>> {
  const look = { color: muted, gridColor: grid };
  return {
    x: { ...look, ...axis, axis: 'x', visible: true, size: axisHeight },
    // a row's place is its pixel
    y: {
      ...look,
      kind: { type: 'linear' },
      axis: 'y',
      visible: false,
      min: top,
      max: bottom,
      reverse: true,
      marks: [],
      size: 0,
    },
  };
}

const zeroLine = (top: number, bottom: number, { muted }: Palette): Drawing => {
  const x = { scale: 'x', value: 0 };
  return line({ from: { x, y: top }, to: { x, y: bottom }, color: muted });
};

function altTextOf(family: PlotText, where: string, groups: readonly Group[]): string {
  const arms = groups.map(({ label, rows }) => {
    const facts = rows.flatMap(({ label: metric, data }) =>
      data === undefined ? [] : [family.single ? numbersOf(data) : `${metric} ${numbersOf(data)}`],
    );
    return `${label}: ${facts.join(', ')}`;
  });
  return `${family.title}, ${numbersHeading(dataOf(groups))}, ${where}. ${arms.join('. ')}.`;
}
