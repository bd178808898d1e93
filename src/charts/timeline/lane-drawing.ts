import type { ChartDataset, Drawing } from '../../domain/chart-spec.ts';
import type { TimelinePoint } from '../../domain/time.ts';
import { line, px, text, textSize } from '../drawing.ts';
import { margin } from '../frame.ts';
import type { Palette } from '../palette.ts';
import { fitText, textWidth } from '../text-width.ts';
import { drawAttempts } from './attempt-drawing.ts';
import type { AttemptRow } from './attempt-lane.ts';
import { drawFlow, flowMarks } from './flow-drawing.ts';
import type { Lane, Moment } from './lanes.ts';
import { edge, owns, pixelOn, type Panel } from './panels.ts';

/** Left of the time axis, for the names of lanes and events. */
export const labelWidth = 222;

const headingHeight = 22;
const rowHeight = 20;
const labelInset = 14;
/** Of all flows of a lane together, however many they are. */
const flowBand = 60;

export interface DrawnLane {
  readonly drawings: readonly Drawing[];
  readonly datasets: readonly ChartDataset[];
  readonly bottom: number;
}

/** A lane from `top` down. */
export function drawLane(lane: Lane, top: number, panels: readonly Panel[], palette: Palette): DrawnLane {
  const heading = text({
    x: px(margin + 6),
    y: top + 15,
    text: lane.name,
    size: 13,
    bold: true,
    color: palette.roles[lane.role],
  });
  const drawn = drawContent(lane, top, panels, palette);
  return { ...drawn, drawings: [heading, ...drawn.drawings] };
}

function drawContent(lane: Lane, top: number, panels: readonly Panel[], palette: Palette): DrawnLane {
  if (lane.attempts !== undefined) return drawAttemptRows(lane.attempts, top, panels, palette);
  return lane.flows.length > 0 ? drawFlows(lane, top, panels, palette) : drawEvents(lane, top + 4, panels, palette);
}

/** A row a path, with how long attempts failed on it under its name. */
function drawAttemptRows(
  rows: readonly AttemptRow[],
  top: number,
  panels: readonly Panel[],
  palette: Palette,
): DrawnLane {
  const yOf = (index: number) => top + headingHeight + (index + 0.5) * rowHeight;
  return {
    drawings: rows.flatMap((row, index) => [
      label(row.name, yOf(index), palette),
      ...panels.flatMap((panel) => drawAttempts(row, yOf(index), panel, palette)),
    ]),
    datasets: [],
    bottom: top + headingHeight + rows.length * rowHeight + 6,
  };
}

/** Flows as lines, side by side; what became of them in words on the left. */
function drawFlows(lane: Lane, top: number, panels: readonly Panel[], palette: Palette): DrawnLane {
  const spacing = Math.min(6, flowBand / lane.flows.length);
  const yOf = (index: number) => top + 8 + (index + 0.5) * spacing;
  const words = lane.moments
    .flatMap(({ what, when }) => {
      const line = `${what} ${when}`;
      return textWidth(line, textSize) <= labelWidth - labelInset - 4 ? [line] : [what, when];
    })
    .map((words, index) => label(words, top + headingHeight + (index + 0.5) * 17, palette));
  const points = lane.flows.flatMap((flow, index) => flowMarks(flow).map((at) => ({ at, y: yOf(index) })));
  return {
    drawings: [
      ...words,
      ...lane.flows.flatMap((flow, index) => panels.flatMap((panel) => drawFlow(flow, yOf(index), panel, palette))),
    ],
    datasets: panels.flatMap((panel) => datasetsOf(lane, panel, points, 2.5, palette)),
    bottom: top + Math.max(16 + spacing * lane.flows.length, headingHeight + words.length * 17 + 6),
  };
}

/** Events one under the other, so that near ones stay apart: the name on the left, the time beside the point. */
function drawEvents(lane: Lane, top: number, panels: readonly Panel[], palette: Palette): DrawnLane {
  const yOf = (index: number) => top + headingHeight + (index + 0.5) * rowHeight;
  const points = lane.moments.map(({ at }, index) => ({ at, y: yOf(index) }));
  return {
    drawings: lane.moments.flatMap((moment, index) => {
      const y = yOf(index);
      return [
        label(moment.what, y, palette),
        ...panels
          .filter((panel) => owns(panel, moment.at.tMs))
          .flatMap((panel) => [
            ...bounds(moment.at, y, panel, palette.roles[lane.role]),
            timeBeside(moment, y, panel, palette),
          ]),
      ];
    }),
    datasets: panels.flatMap((panel) => datasetsOf(lane, panel, points, 4.5, palette)),
    bottom: top + headingHeight + lane.moments.length * rowHeight + 6,
  };
}

const label = (words: string, y: number, palette: Palette): Drawing =>
  text({
    x: px(margin + labelInset),
    y,
    text: fitText(words, labelWidth - labelInset - 4, textSize),
    color: palette.text,
  });

function timeBeside({ at, when }: Moment, y: number, panel: Panel, palette: Palette): Drawing {
  const x = pixelOn(panel, at.tMs);
  const fits = x + 10 + textWidth(when, textSize) <= panel.left + panel.width - edge;
  return text({ x: px(fits ? x + 10 : x - 10), y, text: when, align: fits ? 'left' : 'right', color: palette.muted });
}

/** Within what bounds an event happened, where they are wide enough to be seen. */
function bounds({ tMs, precision }: TimelinePoint, y: number, panel: Panel, color: string): readonly Drawing[] {
  if (precision.kind !== 'bounded') return [];
  const from = Math.max(pixelOn(panel, tMs - precision.earlyMs), panel.left + edge);
  const to = Math.min(pixelOn(panel, tMs + precision.lateMs), panel.left + panel.width - edge);
  if (to - from < 2) return [];
  const cap = (x: number) => line({ from: { x: px(x), y: y - 4 }, to: { x: px(x), y: y + 4 }, color, width: 1.5 });
  return [line({ from: { x: px(from), y }, to: { x: px(to), y }, color, width: 1.5 }), cap(from), cap(to)];
}

/** A hollow point is a time of receipt: what it tells of happened no later. */
function datasetsOf(
  { name, role }: Lane,
  panel: Panel,
  points: readonly { readonly at: TimelinePoint; readonly y: number }[],
  size: number,
  palette: Palette,
): readonly ChartDataset[] {
  return [false, true]
    .map((hollow) => ({
      label: hollow ? `${name}, at receipt` : name,
      xScale: panel.scale,
      yScale: 'y',
      fill: hollow ? palette.background : palette.roles[role],
      stroke: palette.roles[role],
      strokeWidth: hollow ? 2 : 1,
      shape: 'circle' as const,
      size,
      points: points
        .filter(({ at }) => owns(panel, at.tMs) && (at.precision.kind === 'upper-bound') === hollow)
        .map(({ at, y }) => ({ x: at.tMs, y })),
    }))
    .filter((dataset) => dataset.points.length > 0);
}
