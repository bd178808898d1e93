import prettyMilliseconds from 'pretty-ms';
import type { Summary } from '../domain/aggregate.ts';
import { nbsp } from './text-layout.ts';

/** From here on a time is read in seconds. */
const secondsFromMs = 10_000;

/** What stands in the place of a number that was not measured. */
export const dash = '–';

/** Whole milliseconds below 10 s, seconds with two decimals from there on: `45 ms`, `25.04 s`; bound by a no-break space. */
export const formatMs = (ms: number): string => `${inUnitOf(ms)(ms)}${nbsp}${unitOf(ms)}`;

/** `45 ms (30–98)`, in the unit of the median; without a range for one value. */
export function formatSummary({ n, median, min, max }: Summary): string {
  if (n === 1) return formatMs(median);
  const write = inUnitOf(median);
  // a minus sign right behind the dash of a range can't be read
  const dashed = min < 0 || max < 0 ? `${nbsp}–${nbsp}` : '–';
  return `${formatMs(median)} (${write(min)}${dashed}${write(max)})`;
}

const inSeconds = (ms: number): boolean => Math.abs(Math.round(ms)) >= secondsFromMs;
const unitOf = (ms: number): string => (inSeconds(ms) ? 's' : 'ms');

/** Writes numbers in the unit that fits `ms`. */
const inUnitOf = (ms: number) =>
  inSeconds(ms) ? (value: number) => withMinus(value / 1000, 2) : (value: number) => withMinus(value, 0);

/** With a real minus sign, and none before a rounded zero. */
function withMinus(value: number, decimals: number): string {
  const digits = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(digits) !== 0 ? `−${digits}` : digits;
}

/** As `5m 41s`. */
export const formatDuration = (seconds: number): string =>
  prettyMilliseconds(seconds * 1000, { secondsDecimalDigits: 0 });

/** A share, 0 to 1, in per cent with at most two decimals: `93.75 %`. */
export const formatPercent = (share: number): string => `${Number((share * 100).toFixed(2))}${nbsp}%`;

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
