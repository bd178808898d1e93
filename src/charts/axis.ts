import type { ScaleKind, ScaleMark } from '../domain/chart-spec.ts';
import { nbsp, withMinus } from '../domain/format-ms.ts';
import { symlog } from './symlog.ts';

/** A range of milliseconds with its marks, for pictures and for text alike. */
export interface Axis {
  readonly kind: Exclude<ScaleKind, { type: 'category' }>;
  readonly min: number;
  readonly max: number;
  readonly marks: readonly ScaleMark[];
}

/** Where a signed axis stops being linear, in ms: below it lie the delays of one machine's scheduler. */
const linearMs = 10;

/** No clock of this project tells smaller times apart, so a logarithmic axis begins no lower. */
const leastDecadeMs = 0.01;

/** Nor is a linear axis shorter. */
const leastSpanMs = 1;

/** From this ratio of the outermost values on, a linear axis would hide the smaller ones. */
const decadesFromRatio = 30;

/** The axis that shows all values: logarithmic where they are positive and span decades, symmetric where they are signed and do. */
export function axisFor(values: readonly number[]): Axis {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const magnitude = Math.max(Math.abs(least), Math.abs(greatest));
  const smallest = Math.min(...values.map(Math.abs));
  const spansDecades = magnitude > decadesFromRatio * Math.max(smallest, 1);
  if (!spansDecades) return linearAxis(least < 0 ? least : 0, Math.max(greatest, 0));
  return least >= leastDecadeMs ? logarithmicAxis(least, greatest) : symlogAxis(least, greatest);
}

/** Bounds are widened to whole steps of 1, 2 or 5 times a power of ten. */
export function linearAxis(from: number, to: number, steps = 5): Axis {
  const end = Math.max(to, from + leastSpanMs);
  const step = niceStep((end - from) / steps);
  const [first, last] = [Math.floor(from / step), Math.ceil(end / step)];
  const values = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return {
    kind: { type: 'linear' },
    min: first * step,
    max: last * step,
    marks: labelled(values, step),
  };
}

function logarithmicAxis(from: number, to: number): Axis {
  const [min, max] = [stepBelow(from), stepAbove(to)];
  const factors = Math.log10(max / min) < 2 ? [1, 2, 5] : [1, 3];
  return {
    kind: { type: 'logarithmic' },
    min,
    max,
    marks: powersOfTen(min, max)
      .flatMap((power) => factors.map((factor) => power * factor))
      .filter((value) => value >= min && value <= max)
      .map(mark),
  };
}

function symlogAxis(from: number, to: number): Axis {
  const min = from < 0 ? -stepAbove(Math.max(-from, linearMs)) : 0;
  const max = to > 0 ? stepAbove(Math.max(to, linearMs)) : 0;
  const powers = powersOfTen(linearMs, Math.max(-min, max));
  const values = [...powers.map((power) => -power).toReversed(), 0, ...powers];
  return {
    kind: { type: 'symlog', linear: linearMs },
    min,
    max,
    marks: values.filter((value) => value >= min && value <= max).map(mark),
  };
}

/** The axis with no more labels than `width` has room for; zero and the outer marks keep theirs, grid lines stay. */
export function thinned(axis: Axis, width: number, widthOf: (label: string) => number): Axis {
  const taken: { from: number; to: number }[] = [];
  const roomFor = ({ value, label }: ScaleMark): boolean => {
    const [middle, half] = [positionOn(axis, value) * width, widthOf(label) / 2];
    const place = { from: middle - half, to: middle + half };
    if (taken.some(({ from, to }) => place.from < to && from < place.to)) return false;
    taken.push(place);
    return true;
  };
  const byRank = axis.marks.toSorted((a, b) => rankOf(a) - rankOf(b));
  const kept = new Set(byRank.filter(roomFor));
  return { ...axis, marks: axis.marks.map((one) => (kept.has(one) ? one : { ...one, label: '' })) };
}

/** Zero, then powers of ten, then the rest; the greatest first. */
function rankOf({ value }: ScaleMark): number {
  if (value === 0) return -Infinity;
  const power = Math.log10(Math.abs(value));
  return (Number.isInteger(power) ? 0 : 100) - power;
}

/** Where on the axis a value lies, 0 to 1. */
export function positionOn({ kind, min, max }: Axis, value: number): number {
  const place = placement(kind);
  return (place(value) - place(min)) / (place(max) - place(min));
}

function placement(kind: Axis['kind']): (value: number) => number {
  switch (kind.type) {
    case 'linear':
      return (value) => value;
    case 'logarithmic':
      return Math.log10;
    case 'symlog':
      return (value) => symlog(value, kind.linear);
    default:
      return kind satisfies never;
  }
}

/** Marks at even steps: all in one unit, with as many decimals as the step needs. Seconds are used from `secondsFromMs` on. */
export function labelled(values: readonly number[], step: number, secondsFromMs = 10_000): readonly ScaleMark[] {
  const inSeconds = Math.max(...values.map(Math.abs)) >= secondsFromMs || step >= 1000;
  const unitStep = inSeconds ? step / 1000 : step;
  const decimals = Math.max(0, -Math.floor(Math.log10(unitStep) + 1e-9));
  return values.map((value) => ({
    value,
    label:
      value === 0 ? '0' : `${withMinus(inSeconds ? value / 1000 : value, decimals)}${nbsp}${inSeconds ? 's' : 'ms'}`,
  }));
}

function mark(value: number): ScaleMark {
  const inSeconds = Math.abs(value) >= 1000;
  const text = `${inSeconds ? value / 1000 : value}`.replace('-', '−');
  return { value, label: value === 0 ? '0' : `${text}${nbsp}${inSeconds ? 's' : 'ms'}` };
}

const oneTwoFive = [1, 2, 5, 10];

export function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * (oneTwoFive.find((factor) => factor * power >= step * (1 - 1e-9)) ?? 10);
}

const stepAbove = (value: number): number => niceStep(value * 1.05);

function stepBelow(value: number): number {
  const lowered = value / 1.05;
  const power = 10 ** Math.floor(Math.log10(lowered));
  return power * (oneTwoFive.findLast((factor) => factor * power <= lowered) ?? 1);
}

/** From the greatest that is at most `from` to the least that is at least `to`. */
function powersOfTen(from: number, to: number): readonly number[] {
  const first = Math.floor(Math.log10(from));
  const last = Math.ceil(Math.log10(to));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}
