import type { ArmAggregate, Summary } from '../domain/aggregate.ts';
import type { LevelMetric } from '../domain/level-comparison.ts';
import { mapMeasured, notMeasured, valueOf, type Measured } from '../domain/measured.ts';
import { shiftFloorMs } from '../domain/shift-floor.ts';
import { holm } from './holm.ts';
import { judgeShift, tooFew, undecided } from './judge-shift.ts';
import { largestSample } from './rank-sum-distribution.ts';
import { shiftBetween, type RawShift } from './shift-between.ts';

/** A metric at one level beside the reference, before it is corrected for others. */
export interface LevelDraft {
  readonly metric: string;
  readonly reference: Measured<Summary>;
  readonly level: Measured<Summary>;
  readonly floorMs: number | undefined;
  readonly shift: Measured<RawShift>;
}

/** Metrics that at least one of the two arms measured. */
export function draftLevelMetrics(
  reference: ArmAggregate,
  level: ArmAggregate,
  { udpIntervalMs, confidence }: { readonly udpIntervalMs: number; readonly confidence: number },
): readonly LevelDraft[] {
  const names = [...new Set([...reference.metrics, ...level.metrics].map(({ metric }) => metric))];
  const summaryOf = ({ metrics }: ArmAggregate, name: string) =>
    metrics.find(({ metric }) => metric === name)?.summary ?? notMeasured('the arm is older than this metric');
  return names.flatMap((metric) => {
    const [ours, theirs] = [summaryOf(reference, metric), summaryOf(level, metric)];
    if (ours.status === 'not-measured' && theirs.status === 'not-measured') return [];
    const shift =
      ours.status === 'measured' && theirs.status === 'measured'
        ? shiftBetween(ours.value, theirs.value, confidence)
        : notMeasured('only one of the levels measured it');
    return [{ metric, reference: ours, level: theirs, floorMs: shiftFloorMs(metric, { udpIntervalMs }), shift }];
  });
}

/** Which tests are judged together, and what is left to a false difference among them. */
interface Correction {
  readonly adjustedPValue: number;
  readonly overallPValue: number;
  readonly tests: number;
  readonly level: number;
}

/** Corrects drafts twice: each for those of its own family, and for all. `familyOf` names the family of a draft. */
export function judgeLevelMetrics(
  drafts: readonly LevelDraft[],
  familyOf: (draft: LevelDraft) => string,
  level: number,
): ReadonlyMap<LevelDraft, LevelMetric> {
  const tested = drafts.filter(({ shift }) => shift.status === 'measured');
  const overall = correct(tested);
  const families = new Map<string, LevelDraft[]>();
  for (const draft of tested) families.set(familyOf(draft), [...(families.get(familyOf(draft)) ?? []), draft]);
  const judged = new Map<LevelDraft, LevelMetric>();
  for (const draft of drafts) {
    const family = families.get(familyOf(draft)) ?? [];
    const adjustedPValue = correct(family).get(draft) ?? 1;
    const overallPValue = overall.get(draft) ?? 1;
    judged.set(draft, judge(draft, { adjustedPValue, overallPValue, tests: Math.max(1, family.length), level }));
  }
  return judged;
}

function correct(drafts: readonly LevelDraft[]): ReadonlyMap<LevelDraft, number> {
  const adjusted = holm(drafts.flatMap(({ shift }) => valueOf(shift)?.pValue ?? []));
  return new Map(drafts.map((draft, index) => [draft, adjusted[index] ?? 1]));
}

function judge({ metric, reference, level: other, floorMs, shift }: LevelDraft, correction: Correction): LevelMetric {
  const { adjustedPValue, overallPValue, tests, level } = correction;
  const corrected = mapMeasured(shift, (raw) => ({ ...raw, adjustedPValue, overallPValue }));
  const facts = { metric, floorMs: floorMs ?? null, shift: corrected };
  if (reference.status === 'not-measured' || other.status === 'not-measured') {
    return { ...facts, finding: 'one-sided', reason: absenceOf(reference, other), moreRepeats: null };
  }
  if (floorMs === undefined) return { ...facts, ...undecided('this version knows no floor for it', null) };
  const [most, repeats] = [Math.max(reference.value.n, other.value.n), Math.min(reference.value.n, other.value.n)];
  if (corrected.status === 'measured') {
    return { ...facts, ...judgeShift(corrected.value, { floorMs, level, tests, repeats }) };
  }
  const { reason } = corrected;
  return { ...facts, ...(most <= largestSample ? tooFew(reason, { level, repeats }) : undecided(reason, null)) };
}

const absenceOf = (...samples: readonly Measured<Summary>[]): string =>
  samples.flatMap((sample) => (sample.status === 'not-measured' ? [sample.reason] : [])).join('; ');
