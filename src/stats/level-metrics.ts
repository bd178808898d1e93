import type { Summary } from '../domain/aggregate.ts';
import { groupBy } from '../domain/group-by.ts';
import type { LevelMetric } from '../domain/level-comparison.ts';
import { mapMeasured, type Measured } from '../domain/measured.ts';
import { adjustedPValues, judgeDraft, type MetricDraft } from './metric-drafts.ts';

/** Which tests are judged together, and what is left to a false difference among them. */
interface Correction {
  readonly adjustedPValue: number;
  readonly overallPValue: number;
  readonly tests: number;
  readonly level: number;
}

/**
 * Corrects drafts of the reference (`a`) and another level (`b`) twice: each for those of its own family, and for all.
 * `familyOf` names the family of a draft.
 */
export function judgeLevelMetrics(
  drafts: readonly MetricDraft[],
  familyOf: (draft: MetricDraft) => string,
  level: number,
): ReadonlyMap<MetricDraft, LevelMetric> {
  const overall = adjustedPValues(drafts);
  return new Map(
    [...groupBy(drafts, familyOf).values()].flatMap((family) => {
      const own = adjustedPValues(family);
      return family.map((draft) => {
        const pValues = { adjustedPValue: own.get(draft) ?? 1, overallPValue: overall.get(draft) ?? 1 };
        return [draft, judge(draft, { ...pValues, tests: Math.max(1, own.size), level })] as const;
      });
    }),
  );
}

function judge(draft: MetricDraft, correction: Correction): LevelMetric {
  const { metric, a: reference, b: other, floorMs, shift } = draft;
  const { adjustedPValue, overallPValue, ...family } = correction;
  const corrected = mapMeasured(shift, (raw) => ({ ...raw, adjustedPValue, overallPValue }));
  const facts = { metric, floorMs: floorMs ?? null, shift: corrected };
  if (reference.status === 'not-measured' || other.status === 'not-measured') {
    return { ...facts, finding: 'one-sided', reason: absenceOf(reference, other), moreRepeats: null };
  }
  return { ...facts, ...judgeDraft(draft, corrected, family) };
}

const absenceOf = (...samples: readonly Measured<Summary>[]): string =>
  samples.flatMap((sample) => (sample.status === 'not-measured' ? [sample.reason] : [])).join('; ');
