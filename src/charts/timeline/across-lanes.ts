import type { Drawing } from '../../domain/chart-spec.ts';
import type { TrialReport } from '../../domain/trial.ts';
import { line, px, rect, text, textSize } from '../drawing.ts';
import { chartWidth, margin } from '../frame.ts';
import type { Palette } from '../palette.ts';
import { textWidth } from '../text-width.ts';
import { timeText } from './lanes.ts';
import { pixelOn, type Panel } from './panels.ts';

/** Above the lanes: what the lines and bands that run through all of them are. */
export const stripHeight = 40;

const breakWidth = 7;

/** From the last TCP end to the removal of the endpoint, in ms after the trigger. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Undefined unless the endpoint outlived the last connection. */
export function deadWindow({ metrics }: TrialReport): Window | undefined {
  const [from, to] = [metrics['trigger-to-last-tcp-end'], metrics['trigger-to-endpoint-removed']];
  if (from?.status !== 'measured' || to?.status !== 'measured') return undefined;
  return to.value.value > from.value.value ? { from: from.value.value, to: to.value.value } : undefined;
}

/** Gaps where the scale changes: the eye must not run on. */
export const breaks = (panels: readonly Panel[], top: number, bottom: number, palette: Palette): readonly Drawing[] =>
  panels.slice(1).flatMap(({ left }) => {
    const edges = [left - breakWidth / 2, left + breakWidth / 2] as const;
    return [
      rect({
        from: { x: px(edges[0]), y: top },
        to: { x: px(edges[1]), y: bottom },
        fill: palette.background,
        layer: 'middle',
      }),
      ...edges.map((x) =>
        line({ from: { x: px(x), y: top }, to: { x: px(x), y: bottom }, color: palette.muted, dash: [2, 3] }),
      ),
    ];
  });

export interface Common {
  readonly trigger: string;
  readonly window: Window | undefined;
  readonly top: number;
  readonly bottom: number;
}

/** The trigger's line and the dead-endpoint window, with their names above. */
export function acrossLanes(
  panels: readonly Panel[],
  { trigger, window, top, bottom }: Common,
  palette: Palette,
): readonly Drawing[] {
  const [first] = panels;
  if (first === undefined) return [];
  const zero = pixelOn(first, 0);
  const line0 = line({
    from: { x: px(zero), y: top + 2 },
    to: { x: px(zero), y: bottom },
    color: palette.text,
    width: 1.5,
  });
  const name = text({ x: px(zero + 6), y: top + 9, text: `trigger: ${trigger}`, color: palette.text });
  return [line0, name, ...(window === undefined ? [] : windowBand(panels, window, top, bottom, palette))];
}

function windowBand(
  panels: readonly Panel[],
  { from, to }: Window,
  top: number,
  bottom: number,
  palette: Palette,
): readonly Drawing[] {
  const parts = panels.flatMap((panel) => {
    const left = Math.max(pixelOn(panel, from), panel.left + breakWidth / 2);
    const right = Math.min(pixelOn(panel, to), panel.left + panel.width - breakWidth / 2);
    return right > left ? [{ left, right }] : [];
  });
  const name = `dead-endpoint window ${timeText(to - from)}`;
  const [widest] = parts.toSorted((one, other) => other.right - other.left - (one.right - one.left));
  // too short to be seen, or all of it where nothing is drawn
  if (widest === undefined) return [];
  const half = textWidth(name, textSize) / 2;
  const middle = Math.min(Math.max((widest.left + widest.right) / 2, margin + half), chartWidth - margin - half);
  return [
    ...parts.map(({ left, right }) =>
      rect({
        from: { x: px(left), y: top + stripHeight - 2 },
        to: { x: px(right), y: bottom },
        fill: palette.alarm,
      }),
    ),
    text({ x: px(middle), y: top + 27, text: name, align: 'center', color: palette.text }),
  ];
}
