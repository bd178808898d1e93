import prettyMilliseconds from 'pretty-ms';
import { nbsp } from '../domain/format-ms.ts';

/** What stands in the place of a number that was not measured. */
export const dash = '–';

/** As `5m 41s`. */
export const formatDuration = (seconds: number): string =>
  prettyMilliseconds(seconds * 1000, { secondsDecimalDigits: 0 });

/** A share, 0 to 1, in per cent with at most two decimals: `93.75 %`. */
export const formatPercent = (share: number): string => `${Number((share * 100).toFixed(2))}${nbsp}%`;

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
