import { largestSample } from './rank-sum-distribution.ts';
import type { Sample } from './summarize.ts';

/** @throws {RangeError} for a value that isn't finite, or more values than the exact distribution is made for. */
export function requireSamples(...samples: readonly Sample[]): void {
  for (const sample of samples) {
    const unreal = sample.find((value) => !Number.isFinite(value));
    if (unreal !== undefined) throw new RangeError(`a sample holds finite numbers, found ${unreal}`);
    if (sample.length > largestSample) {
      throw new RangeError(`an exact test takes ${largestSample} values a sample, found ${sample.length}`);
    }
  }
}
