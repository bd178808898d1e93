import { comparedArms, type Comparison, type MetricComparison, type PooledMetric } from '../domain/comparison.ts';
import { measured, notMeasured } from '../domain/measured.ts';
import { holm } from './holm.ts';
import { judgeShift, tooFew, undecided } from './judge-shift.ts';
import { largestSample } from './rank-sum-distribution.ts';
import { stratifiedShift, type Stratum } from './stratified-shift.ts';

/**
 * The shift of each metric over all arms together, every arm a stratum: what moves a machine's trials moves those of each
 * arm alike, and five arms show it five times as surely. Arms whose repeats are too many for an exact test are left out.
 */
export function poolArms(comparison: Comparison): readonly PooledMetric[] {
  const level = 1 - comparison.confidence;
  const metrics = comparedArms(comparison).flatMap((arm) => arm.metrics);
  const names = [...new Set(metrics.map(({ metric }) => metric))];
  const drafts = names.map((metric) => {
    const own = metrics.filter((candidate) => candidate.metric === metric);
    const strata = own.flatMap(stratumOf);
    const floorMs = own.find((candidate) => candidate.floorMs !== null)?.floorMs ?? null;
    return { metric, strata, floorMs, raw: stratifiedShift(strata, comparison.confidence) };
  });
  const adjusted = holm(drafts.flatMap(({ raw }) => (raw === undefined ? [] : [raw.pValue])));
  let tested = 0;
  return drafts.map(({ metric, strata, floorMs, raw }): PooledMetric => {
    const sizes = { a: sizeOf(strata, 'a'), b: sizeOf(strata, 'b') };
    const facts = { metric, arms: strata.length, sizes, floorMs };
    const repeats = Math.min(sizes.a, sizes.b);
    if (raw === undefined) {
      const reason = 'too few repeats for an interval';
      return { ...facts, shift: notMeasured(reason), ...tooFew(reason, { level, repeats }) };
    }
    const shift = { ...raw, adjustedPValue: adjusted[tested] ?? 1 };
    tested += 1;
    const judgement =
      floorMs === null
        ? undecided('this version knows no floor for it', null)
        : judgeShift(shift, { floorMs, level, tests: adjusted.length, repeats });
    return { ...facts, shift: measured(shift), ...judgement };
  });
}

function stratumOf({ a, b }: MetricComparison): readonly Stratum[] {
  if (a.status !== 'measured' || b.status !== 'measured') return [];
  if (Math.max(a.value.n, b.value.n) > largestSample) return [];
  const [firstA, ...restA] = a.value.values;
  const [firstB, ...restB] = b.value.values;
  return firstA === undefined || firstB === undefined ? [] : [{ a: [firstA, ...restA], b: [firstB, ...restB] }];
}

const sizeOf = (strata: readonly Stratum[], side: 'a' | 'b'): number =>
  strata.reduce((sum, stratum) => sum + stratum[side].length, 0);
