import type { ScaleMark } from '../../domain/chart-spec.ts';
import { labelled, niceStep } from '../axis.ts';
import type { Segment } from './segments.ts';

/** A segment with its place in the picture. */
export interface Panel {
  readonly scale: string;
  readonly segment: Segment;
  readonly left: number;
  readonly width: number;
  /** The range of time that the width shows, in ms after the trigger. */
  readonly min: number;
  readonly max: number;
  readonly marks: readonly ScaleMark[];
}

const leastWidth = 150;

/** Room beside the outermost moments, in CSS pixels. */
const padding = { left: 22, right: 70 };

const leastSpanMs = 4;
const pixelsPerMark = 52;

/** As the times beside the points. */
export const secondsFromMs = 1000;

/** Shares the width of the plot: each segment the same minimum, the rest by how many moments it holds. */
export function panelsOf(
  segments: readonly Segment[],
  times: readonly number[],
  plot: { readonly left: number; readonly width: number },
): readonly Panel[] {
  const counts = segments.map(({ from, to }) => times.filter((time) => time >= from && time <= to).length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const spare = plot.width - leastWidth * segments.length;
  let left = plot.left;
  return segments.map((segment, index) => {
    const width = leastWidth + (spare * (counts[index] ?? 0)) / total;
    const limits = { previous: segments[index - 1]?.to ?? -Infinity, next: segments[index + 1]?.from ?? Infinity };
    const panel = { scale: `x${index}`, left, width, ...rangeOf(segment, limits, width) };
    left += width;
    return { ...panel, marks: marksOf(panel) };
  });
}

/** Never past half the way to the next segment: a flow would look alive in one panel that had ended in the other. */
function rangeOf({ from, to }: Segment, limits: { readonly previous: number; readonly next: number }, width: number) {
  const span = Math.max(to - from, leastSpanMs);
  const msPerPixel = span / (width - padding.left - padding.right);
  return {
    segment: { from, to },
    min: Math.max(from - padding.left * msPerPixel, (limits.previous + from) / 2),
    max: Math.min(from + span + padding.right * msPerPixel, (to + limits.next) / 2),
  };
}

/** Whole steps inside the range, none so near an edge that its label would leave the panel. */
function marksOf({ min, max, width }: Pick<Panel, 'min' | 'max' | 'width'>): readonly ScaleMark[] {
  const step = niceStep(((max - min) * pixelsPerMark) / width);
  const margin = ((max - min) * 24) / width;
  const first = Math.ceil(min / step);
  const count = Math.floor(max / step) - first + 1;
  const values = Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step);
  const inside = values.filter((value) => value === 0 || (value - min >= margin && max - value >= margin));
  return inside.length === 0 ? [] : labelled(inside, step, secondsFromMs);
}

/** Where a time lies, in CSS pixels from the picture's left edge. */
export const pixelOn = ({ left, width, min, max }: Panel, tMs: number): number =>
  left + ((tMs - min) / (max - min)) * width;

/** Whether a moment belongs to the panel: ranges may meet, segments don't. */
export const owns = ({ segment }: Panel, tMs: number): boolean => tMs >= segment.from && tMs <= segment.to;

/** Nothing is drawn nearer to a panel's edge, in CSS pixels. */
export const edge = 5;
