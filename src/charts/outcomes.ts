import type { ArmAggregate, OutcomeCount } from '../domain/aggregate.ts';
import { armLabeller, completeArms } from '../domain/arm-labels.ts';
import type { Chart, ChartInput } from '../domain/chart.ts';
import type { ChartDataset, ChartSpec, Drawing } from '../domain/chart-spec.ts';
import type { Protocol } from '../domain/flow.ts';
import { outcomeOrder, outcomeWords } from '../domain/outcome-words.ts';
import { linearAxis, thinned } from './axis.ts';
import { px, rect, text, textSize } from './drawing.ts';
import { chartWidth, circumstances, frame, margin } from './frame.ts';
import { inkOn, outcomeFill, palettes, type Palette } from './palette.ts';
import { fitText, textWidth } from './text-width.ts';

const title = 'How live connections ended';
const rowHeight = 26;
const barHeight = 19;
const axisHeight = 44;
const plotLeft = margin + 62;

interface Bar {
  readonly protocol: Protocol;
  readonly counts: readonly OutcomeCount[];
  readonly total: number;
  /** Flows that another pod answered after they had ended in another way. */
  readonly rehomedLater: number;
}

interface ArmBars {
  readonly label: string;
  readonly trials: number;
  readonly bars: readonly Bar[];
}

/** Flows of all repeats by outcome, a bar an arm and protocol. */
export const outcomes: Chart = {
  name: 'outcomes',
  title,
  scope: 'run',
  draw(input) {
    const arms = armBars(input);
    return arms.length === 0 ? undefined : drawBars(arms, input);
  },
};

function armBars({ aggregate }: ChartInput): readonly ArmBars[] {
  const label = armLabeller(aggregate);
  return completeArms(aggregate)
    .map((arm) => ({
      label: label(arm),
      trials: arm.trials.length,
      bars: (['tcp', 'udp'] as const).map((protocol) => barOf(arm, protocol)).filter(({ total }) => total > 0),
    }))
    .filter(({ bars }) => bars.length > 0);
}

function barOf({ trials }: ArmAggregate, protocol: Protocol): Bar {
  const sums = new Map<string, number>();
  for (const { outcome, flows } of trials.flatMap((trial) => trial[protocol])) {
    sums.set(outcome, (sums.get(outcome) ?? 0) + flows);
  }
  const counts = [...sums].map(([outcome, flows]) => ({ outcome, flows })).toSorted((a, b) => rank(a) - rank(b));
  const rehomed = trials.reduce((sum, trial) => sum + trial.udpRehomed, 0);
  return {
    protocol,
    counts,
    total: counts.reduce((sum, { flows }) => sum + flows, 0),
    rehomedLater: protocol === 'udp' ? Math.max(0, rehomed - (sums.get('severed (rehomed)') ?? 0)) : 0,
  };
}

/** An outcome that this version does not know comes last. */
const rank = ({ outcome }: OutcomeCount) => {
  const place = outcomeOrder.indexOf(outcome);
  return place === -1 ? outcomeOrder.length : place;
};

function drawBars(arms: readonly ArmBars[], { aggregate, theme }: ChartInput): ChartSpec {
  const palette = palettes[theme];
  const bars = arms.flatMap((arm) => arm.bars);
  const names = new Set(bars.flatMap(({ counts }) => counts.map(({ outcome }) => outcome)));
  const keys = [...names]
    .toSorted((a, b) => rank({ outcome: a, flows: 0 }) - rank({ outcome: b, flows: 0 }))
    .map((name) => ({
      label: outcomeWords(name),
      shape: 'band' as const,
      fill: outcomeFill(name),
      stroke: palette.muted,
    }));
  const subtitle = `${circumstances(aggregate)} · flows of all repeats by what ended them`;
  const top = frame({ title, subtitle, keys }, palette);
  const notes = Math.max(0, ...bars.map((bar) => textWidth(noteOf(bar), textSize)));
  const plotRight = chartWidth - margin - (notes === 0 ? 10 : notes + 18);
  const most = Math.max(...bars.map(({ total }) => total));
  const axis = thinned({ ...linearAxis(0, most), max: most }, plotRight - plotLeft, () => 40);
  const rows = arms.flatMap((arm) => [undefined, ...arm.bars]);
  const bottom = top.top + rows.length * rowHeight;
  const scale = { visible: true, color: palette.muted, gridColor: palette.grid } as const;
  const marks = axis.marks
    .filter(({ value }) => value <= most && Number.isInteger(value))
    .map(({ value }) => ({ value, label: `${value}` }));
  return {
    altText: altTextOf(arms, aggregate),
    width: chartWidth,
    height: bottom + axisHeight,
    config: {
      type: 'bar',
      data: { labels: rows.map(() => ''), datasets: datasetsOf([...names], rows, palette) },
      options: {
        indexAxis: 'y',
        background: palette.background,
        font: { size: textSize, color: palette.text },
        padding: { top: top.top, right: chartWidth - plotRight, bottom: axisHeight - 26, left: plotLeft },
        scales: {
          x: { ...scale, kind: axis.kind, axis: 'x', min: 0, max: most, stacked: true, marks, size: 26 },
          y: { ...scale, kind: { type: 'category' }, axis: 'y', visible: false, stacked: true, marks: [], size: 0 },
        },
        drawings: [
          ...top.drawings,
          ...rowDrawings(arms, top.top, { palette, plotRight, perFlow: (plotRight - plotLeft) / most }),
          text({
            x: px((plotLeft + plotRight) / 2),
            y: bottom + 33,
            text: 'flows',
            align: 'center',
            color: palette.muted,
          }),
        ],
      },
    },
  };
}

function datasetsOf(
  names: readonly string[],
  rows: readonly (Bar | undefined)[],
  palette: Palette,
): readonly ChartDataset[] {
  return names
    .toSorted((a, b) => rank({ outcome: a, flows: 0 }) - rank({ outcome: b, flows: 0 }))
    .map((name) => ({
      label: outcomeWords(name),
      xScale: 'x',
      yScale: 'y',
      fill: outcomeFill(name),
      stroke: palette.muted,
      strokeWidth: 1,
      shape: 'rect',
      size: barHeight,
      points: rows.flatMap((bar, row) => {
        const flows = bar?.counts.find(({ outcome }) => outcome === name)?.flows;
        return flows === undefined ? [] : [{ x: flows, y: row }];
      }),
    }));
}

interface Plot {
  readonly palette: Palette;
  readonly plotRight: number;
  /** Pixels of a bar for one flow. */
  readonly perFlow: number;
}

function rowDrawings(arms: readonly ArmBars[], top: number, plot: Plot): readonly Drawing[] {
  const { palette, plotRight } = plot;
  let y = top;
  return arms.flatMap(({ label, trials, bars }, index) => {
    const from = { x: px(margin), y };
    const to = { x: px(chartWidth - margin), y: y + (bars.length + 1) * rowHeight };
    const heading = fitText(`${label}, n = ${trials}`, chartWidth - 2 * margin - 12, 13, true);
    const drawings = [
      ...(index % 2 === 0 ? [rect({ from, to, fill: palette.stripe })] : []),
      // the grid would run through the heading
      rect({
        from,
        to: { ...to, y: y + rowHeight },
        fill: index % 2 === 0 ? palette.stripe : palette.background,
        layer: 'middle',
      }),
      text({ x: px(margin + 6), y: y + rowHeight / 2 + 2, text: heading, size: 13, bold: true, color: palette.text }),
      ...bars.flatMap((bar, place) => {
        const middle = y + (place + 1.5) * rowHeight;
        return [
          text({ x: px(margin + 14), y: middle, text: bar.protocol.toUpperCase(), color: palette.text }),
          text({ x: px(plotRight + 10), y: middle, text: noteOf(bar), color: palette.muted }),
          ...countTexts(bar, middle, plot),
        ].filter((drawing) => drawing.kind !== 'text' || drawing.text !== '');
      }),
    ];
    y = to.y;
    return drawings;
  });
}

/** In each part of a bar its count and words, or the count alone, or nothing, as there is room. */
function countTexts({ counts }: Bar, y: number, { perFlow }: Plot): readonly Drawing[] {
  let x = plotLeft;
  return counts.flatMap(({ outcome, flows }) => {
    const width = flows * perFlow;
    const middle = x + width / 2;
    x += width;
    const choices = [`${flows} ${outcomeWords(outcome)}`, `${flows}`];
    const fitting = choices.find((choice) => textWidth(choice, textSize) <= width - 8);
    if (fitting === undefined) return [];
    return [text({ x: px(middle), y, text: fitting, align: 'center', color: inkOn(outcomeFill(outcome)) })];
  });
}

const noteOf = ({ rehomedLater }: Bar): string => (rehomedLater === 0 ? '' : `${rehomedLater} re-homed later`);

function altTextOf(arms: readonly ArmBars[], aggregate: ChartInput['aggregate']): string {
  const facts = arms.map(({ label, trials, bars }) => {
    const parts = bars.map((bar) => {
      const counts = bar.counts.map(({ outcome, flows }) => `${flows} of ${bar.total} ${outcomeWords(outcome)}`);
      return `${bar.protocol.toUpperCase()} ${[...counts, noteOf(bar)].filter((part) => part !== '').join(', ')}`;
    });
    return `${label}, n = ${trials}: ${parts.join('; ')}`;
  });
  return `${title}, ${circumstances(aggregate)}. ${facts.join('. ')}.`;
}
