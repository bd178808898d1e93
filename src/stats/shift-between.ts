import type { Summary } from '../domain/aggregate.ts';
import type { Shift } from '../domain/comparison.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import { hodgesLehmannShift, shiftInterval } from './hodges-lehmann.ts';
import { mannWhitney } from './mann-whitney.ts';
import { largestSample } from './rank-sum-distribution.ts';
import type { Sample } from './summarize.ts';

/** A shift before it is corrected for the others that it is judged with. */
export type RawShift = Omit<Shift, 'adjustedPValue'>;

/** By how much `b` is greater than `a`; not measured where the samples are too small, or too large, for an exact answer. */
export function shiftBetween(a: Summary, b: Summary, confidence: number): Measured<RawShift> {
  if (Math.max(a.n, b.n) > largestSample) {
    return notMeasured(`${a.n} against ${b.n} repeats; exact tests take ${largestSample} at most`);
  }
  const [first, second] = [sampleOf(a), sampleOf(b)];
  const interval = shiftInterval(first, second, confidence);
  if (interval === undefined) {
    return notMeasured(
      `${a.n} against ${b.n} repeats are too few for an interval of ${Math.round(confidence * 100)} %`,
    );
  }
  return measured({
    shift: hodgesLehmannShift(first, second),
    interval,
    pValue: mannWhitney(first, second).pValue,
  });
}

function sampleOf({ values: [first, ...rest] }: Summary): Sample {
  if (first === undefined) throw new RangeError('a summary holds at least one value');
  return [first, ...rest];
}
