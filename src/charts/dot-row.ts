import type { ChartDataset, Drawing } from '../domain/chart-spec.ts';
import type { ArmValues } from './arm-values.ts';
import { line, px, text } from './drawing.ts';
import type { Palette, Role } from './palette.ts';
import { swarm } from './swarm.ts';

/** One metric of one arm; without data where the arm did not measure it. */
export interface Row {
  readonly label: string;
  readonly role: Role;
  readonly data: ArmValues | undefined;
}

/** Range, median and numbers of a row whose middle is at `y`. */
export function dotRow(row: Row, y: number, palette: Palette, numbersAt: number, numbers: string): readonly Drawing[] {
  if (row.data === undefined) {
    return [text({ x: px(numbersAt), y, text: 'not measured', color: palette.muted })];
  }
  const { min, median, max } = row.data.summary;
  const at = (value: number, offset = 0) => ({ x: { scale: 'x', value }, y: y + offset });
  return [
    line({ from: at(min), to: at(max), color: palette.roles[row.role], width: 2 }),
    line({ from: at(median, -13), to: at(median, 13), color: palette.text, width: 2.5 }),
    text({ x: px(numbersAt), y, text: numbers, color: palette.text }),
  ];
}

/** The trials as points: one data set a role and kind of trial, for each has its look. Chart.js draws the first on top. */
export function pointDatasets(
  rows: readonly { readonly row: Row; readonly y: number }[],
  palette: Palette,
  placeOf: (value: number) => number,
): readonly ChartDataset[] {
  const points = rows.flatMap(({ row, y }) => {
    const values = row.data?.values ?? [];
    const offsets = swarm(values.map(({ value }) => placeOf(value)));
    return values.map(({ value, first }, trial) => ({
      role: row.role,
      first,
      point: { x: value, y: y + (offsets[trial] ?? 0) },
    }));
  });
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
