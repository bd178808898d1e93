import { quantileSorted } from 'simple-statistics';
import type { Sample } from './summarize.ts';

/** How the values of a sample lie, in their unit. */
export interface Quantiles {
  readonly min: number;
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * A quantile between two values lies on the line between them (Hyndman and Fan, "Sample Quantiles in Statistical
 * Packages", 1996, type 7).
 */
export function quantilesOf(values: Sample): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (p: number) => quantileSorted(sorted, p);
  return { min: at(0), p10: at(0.1), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}
