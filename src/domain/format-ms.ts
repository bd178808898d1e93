import type { Summary } from './aggregate.ts';

/** Keeps a number and its unit on one line. */
export const nbsp = '\u00a0';

/** From here on a time is read in seconds. */
const secondsFromMs = 10_000;

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
export function withMinus(value: number, decimals: number): string {
  const digits = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(digits) !== 0 ? `−${digits}` : digits;
}
