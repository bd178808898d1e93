import { armLabeller, completeArms } from '../../domain/arm-labels.ts';
import type { Chart, ChartInput } from '../../domain/chart.ts';
import type { ChartScale, ChartSpec } from '../../domain/chart-spec.ts';
import { endOf } from '../../domain/classify.ts';
import { printable } from '../../domain/printable.ts';
import type { TrialReport } from '../../domain/trial.ts';
import { px, rect, textSize } from '../drawing.ts';
import { chartWidth, environmentWords, frame, margin, type Key } from '../frame.ts';
import { palettes, type Palette } from '../palette.ts';
import { acrossLanes, breaks, deadWindow, stripHeight, type Window } from './across-lanes.ts';
import { attemptRows } from './attempt-lane.ts';
import { flowMarks } from './flow-drawing.ts';
import { drawLane, labelWidth } from './lane-drawing.ts';
import { lanesOf, timeText, type Lane } from './lanes.ts';
import { panelsOf, type Panel } from './panels.ts';
import { segmentsOf, widened } from './segments.ts';

const title = 'One trial on its timeline';
const plot = { left: margin + labelWidth, width: chartWidth - 2 * margin - labelWidth };
const axisHeight = 28;

/** The trial in the middle of its arm, client, cluster and pod on one time axis that is zoomed where things happen. */
export const timeline: Chart = { name: 'timeline', title, scope: 'arm', draw };

function draw({ aggregate, reports, theme }: ChartInput): ChartSpec | undefined {
  const [arm] = completeArms(aggregate);
  if (arm === undefined) return undefined;
  const own = reports.filter(({ trial }) => trial.arm.id === arm.arm.id);
  const report = medianReport(own);
  const lanes = report === undefined ? [] : lanesOf(report.trial);
  if (report === undefined || lanes.length === 0) return undefined;
  const palette = palettes[theme];
  const label = armLabeller(aggregate)(arm);
  const window = deadWindow(report);
  const among = own.length > 1 ? `, the median of ${own.length} by last TCP end` : '';
  const which = `${environmentWords(report.environment)} · trial ${report.trial.repeat}${among}`;
  const top = frame(
    {
      title: `${title}: ${label}`,
      subtitle: which,
      keys: keysOf(report, palette),
    },
    palette,
  );
  const times = [0, ...lanes.flatMap(({ moments }) => moments.flatMap(({ at, untilMs }) => [at.tMs, untilMs]))];
  const flowTimes = report.trial.flows.flatMap((flow) => flowMarks(flow).map(({ tMs }) => tMs));
  const panels = panelsOf(widened(segmentsOf(times), flowTimes), times, plot);
  const lanesTop = top.top + stripHeight;
  const drawn = stack(lanes, lanesTop, panels, palette);
  const common = { trigger: printable(report.trial.scenario.trigger), window, top: top.top, bottom: drawn.bottom };
  return {
    altText: altTextOf(`${label}, ${which}`, lanes, window),
    width: chartWidth,
    height: drawn.bottom + axisHeight + 10,
    config: {
      type: 'scatter',
      data: { labels: [], datasets: drawn.datasets },
      options: {
        indexAxis: 'x',
        background: palette.background,
        font: { size: textSize, color: palette.text },
        padding: { top: lanesTop, right: margin, bottom: 10, left: plot.left },
        scales: scalesOf(panels, { top: lanesTop, bottom: drawn.bottom }, palette),
        drawings: [
          ...top.drawings,
          ...drawn.stripes,
          ...breaks(panels, lanesTop, drawn.bottom, palette),
          ...acrossLanes(panels, common, palette),
          ...drawn.drawings,
        ],
      },
    },
  };
}

/** The lower one of two in the middle; the first where none has the time that decides. */
function medianReport(reports: readonly TrialReport[]): TrialReport | undefined {
  const timed = reports.flatMap((report) => {
    const end = report.metrics['trigger-to-last-tcp-end'];
    return end?.status === 'measured' ? [{ report, end: end.value.value }] : [];
  });
  const sorted = timed.toSorted((a, b) => a.end - b.end || a.report.trial.repeat - b.report.trial.repeat);
  return sorted[Math.floor((sorted.length - 1) / 2)]?.report ?? reports[0];
}

function stack(lanes: readonly Lane[], top: number, panels: readonly Panel[], palette: Palette) {
  let y = top;
  const drawn = lanes.map((lane, index) => {
    const result = drawLane(lane, y, panels, palette);
    const stripe = rect({
      from: { x: px(margin), y },
      to: { x: px(chartWidth - margin), y: result.bottom },
      fill: index % 2 === 0 ? palette.stripe : palette.background,
    });
    y = result.bottom;
    return { ...result, stripe };
  });
  return {
    stripes: drawn.map(({ stripe }) => stripe),
    drawings: drawn.flatMap(({ drawings }) => drawings),
    datasets: drawn.flatMap(({ datasets }) => datasets),
    bottom: y,
  };
}

function scalesOf(
  panels: readonly Panel[],
  { top, bottom }: { readonly top: number; readonly bottom: number },
  { muted, grid }: Palette,
): Readonly<Record<string, ChartScale>> {
  const look = { color: muted, gridColor: grid, kind: { type: 'linear' } } as const;
  const time = panels.map(({ scale, min, max, marks, width }): readonly [string, ChartScale] => [
    scale,
    {
      ...look,
      axis: 'x',
      visible: true,
      min,
      max,
      marks,
      size: axisHeight,
      stack: { name: 'time', weight: width },
    },
  ]);
  return {
    ...Object.fromEntries(time),
    y: { ...look, axis: 'y', visible: false, min: top, max: bottom, reverse: true, marks: [], size: 0 },
  };
}

function keysOf({ trial }: TrialReport, { muted, background, roles, text }: Palette): readonly Key[] {
  const hollow = trial.timeline.some(({ at }) => at.precision.kind === 'upper-bound');
  const uncertain = trial.flows.some(({ outcome }) => endOf(outcome)?.precision.kind === 'bounded');
  const rehomed = trial.flows.some((flow) => flow.rehomed !== null);
  const dialled = attemptRows(trial).length > 0;
  return [
    { label: 'when it happened', shape: 'circle', fill: muted, stroke: muted },
    ...(hollow ? [{ label: 'when word of it came', shape: 'circle', fill: background, stroke: muted } as const] : []),
    { label: 'a flow lives', shape: 'stroke', fill: roles.tcp, stroke: roles.tcp },
    ...(uncertain ? [{ label: 'may live', shape: 'thin', fill: roles.tcp, stroke: roles.tcp } as const] : []),
    ...(dialled ? [{ label: 'new connections fail', shape: 'stroke', fill: text, stroke: text } as const] : []),
    ...(rehomed || dialled
      ? [{ label: 'another pod answers', shape: 'dashes', fill: muted, stroke: muted } as const]
      : []),
  ];
}

function altTextOf(which: string, lanes: readonly Lane[], window: Window | undefined): string {
  const facts = lanes.map(
    ({ name, moments }) => `${name}: ${moments.map(({ what, when }) => `${what} ${when}`).join(', ')}`,
  );
  const dead = window === undefined ? '' : ` Dead-endpoint window ${timeText(window.to - window.from)}.`;
  return `${title}, ${which}, times after the trigger. ${facts.join('. ')}.${dead}`;
}
