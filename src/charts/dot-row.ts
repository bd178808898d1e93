import type { ChartDataset, Drawing } from '../domain/chart-spec.ts';
import { numbersOf, type Row } from './dot-groups.ts';
import { line, px, text } from './drawing.ts';
import type { Palette } from './palette.ts';

/** A row with its middle, and how far off it each trial is drawn, in CSS pixels. */
export interface PlacedRow {
  readonly row: Row;
  readonly y: number;
  readonly height: number;
  readonly offsets: readonly number[];
}

/** Range, median and numbers. One trial has neither range nor median. */
export function dotRow({ row, y, height }: PlacedRow, palette: Palette, numbersAt: number): readonly Drawing[] {
  if (row.data === undefined) {
    return [text({ x: px(numbersAt), y, text: 'not measured', color: palette.muted })];
  }
  const { n, min, median, max } = row.data.summary;
  const at = (value: number, offset = 0) => ({ x: { scale: 'x', value }, y: y + offset });
  const reach = height / 2 - 0.5;
  return [
    ...(n === 1
      ? []
      : [
          line({ from: at(min), to: at(max), color: palette.roles[row.role], width: 2 }),
          line({ from: at(median, -reach), to: at(median, reach), color: palette.text, width: 2.5 }),
        ]),
    text({ x: px(numbersAt), y, text: numbersOf(row.data), color: palette.text }),
  ];
}

/** The trials as points: one data set a role and kind of trial, for each has its look. Chart.js draws the first on top. */
export function pointDatasets(rows: readonly PlacedRow[], palette: Palette): readonly ChartDataset[] {
  const points = rows.flatMap(({ row, y, offsets }) =>
    (row.data?.values ?? []).map(({ value, first }, trial) => ({
      role: row.role,
      first,
      point: { x: value, y: y + (offsets[trial] ?? 0) },
    })),
  );
  const roles = [...new Set(points.map(({ role }) => role))];
  return roles
    .flatMap((role) => [true, false].map((first) => ({ role, first })))
    .map(({ role, first }) => ({
      label: first ? `${role}, first trial on its cluster` : role,
      xScale: 'x',
      yScale: 'y',
      fill: first ? palette.background : palette.roles[role],
      stroke: first ? palette.roles[role] : palette.background,
      strokeWidth: first ? 1.75 : 1,
      shape: first ? ('rectRot' as const) : ('circle' as const),
      size: first ? 4 : 3.5,
      points: points.filter((one) => one.role === role && one.first === first).map(({ point }) => point),
    }))
    .filter((dataset) => dataset.points.length > 0);
}
