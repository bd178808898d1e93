import { mad, max, median, min } from 'simple-statistics';
import type { Summary } from '../domain/aggregate.ts';
import { rangeConfidence } from './range-confidence.ts';

/** At least one value: a summary of nothing doesn't exist. */
export type Sample = readonly [number, ...number[]];

/**
 * Order statistics of one arm's repeats, in the unit of `values`.
 *
 * The median of an even count is the mean of the middle two (Hyndman and Fan, "Sample Quantiles in Statistical
 * Packages", 1996, type 7 at p = 0.5). `mad` is the median of the absolute distances from the median, without the factor
 * 1.4826 that would make it an estimate of a normal deviation (Hampel, "The Influence Curve and Its Role in Robust
 * Estimation", 1974). Both it and `rangeConfidence` are absent for n = 1, where they say nothing. `values` keeps its order.
 *
 * @throws {RangeError} for a value that isn't finite: what was not observed has no number.
 */
export function summarize(values: Sample): Summary {
  const unreal = values.find((value) => !Number.isFinite(value));
  if (unreal !== undefined) throw new RangeError(`a sample holds finite numbers, found ${unreal}`);
  const sample = [...values];
  return {
    n: sample.length,
    min: min(sample),
    median: median(sample),
    max: max(sample),
    ...(sample.length > 1 && { mad: mad(sample), rangeConfidence: rangeConfidence(sample.length) }),
    values: sample,
  };
}
