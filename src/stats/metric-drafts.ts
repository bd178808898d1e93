import type { ArmAggregate, Summary } from '../domain/aggregate.ts';
import type { Shift } from '../domain/comparison.ts';
import { notMeasured, valueOf, type Measured } from '../domain/measured.ts';
import { shiftFloorMs, type FloorConditions } from '../domain/shift-floor.ts';
import { holm } from './holm.ts';
import { judgeShift, tooFew, undecided, type Judgement, type Yardstick } from './judge-shift.ts';
import { largestSample } from './rank-sum-distribution.ts';
import { shiftBetween, type RawShift } from './shift-between.ts';

/** A metric of two arms, before it is corrected for the others that it is judged with. */
export interface MetricDraft {
  readonly metric: string;
  readonly a: Measured<Summary>;
  readonly b: Measured<Summary>;
  readonly floorMs: number | undefined;
  readonly shift: Measured<RawShift>;
}

export interface DraftOptions extends FloorConditions {
  /** Of every interval, 0 to 1. */
  readonly confidence: number;
}

/** What the reader calls the two arms' sides, for reasons: as `run`, and `runs`. */
export interface SideWords {
  readonly older: string;
  readonly sides: string;
}

/** Metrics that at least one of the two arms measured. */
export function draftMetrics(
  a: ArmAggregate,
  b: ArmAggregate,
  { confidence, ...floorConditions }: DraftOptions,
  { older, sides }: SideWords,
): readonly MetricDraft[] {
  const names = [...new Set([...a.metrics, ...b.metrics].map(({ metric }) => metric))];
  const summaryOf = ({ metrics }: ArmAggregate, name: string) =>
    metrics.find(({ metric }) => metric === name)?.summary ?? notMeasured(`the ${older} is older than this metric`);
  return names.flatMap((metric) => {
    const [ours, theirs] = [summaryOf(a, metric), summaryOf(b, metric)];
    if (ours.status === 'not-measured' && theirs.status === 'not-measured') return [];
    const shift =
      ours.status === 'measured' && theirs.status === 'measured'
        ? shiftBetween(ours.value, theirs.value, confidence)
        : notMeasured(`only one of the ${sides} measured it`);
    return [{ metric, a: ours, b: theirs, floorMs: shiftFloorMs(metric, floorConditions), shift }];
  });
}

/** The p-value of each draft that has one, corrected for all of them (Holm). */
export function adjustedPValues(drafts: readonly MetricDraft[]): ReadonlyMap<MetricDraft, number> {
  const tested = drafts.filter(({ shift }) => shift.status === 'measured');
  const adjusted = holm(tested.flatMap(({ shift }) => valueOf(shift)?.pValue ?? []));
  return new Map(tested.map((draft, index) => [draft, adjusted[index] ?? 1]));
}

/** Judges a draft by its corrected shift. */
export function judgeDraft(
  { a, b, floorMs }: Pick<MetricDraft, 'a' | 'b' | 'floorMs'>,
  shift: Measured<Shift>,
  family: Pick<Yardstick, 'level' | 'tests'>,
): Judgement {
  if (floorMs === undefined) return undecided('this version knows no floor for it', null);
  const sizes = [a, b].map((summary) => valueOf(summary)?.n ?? 0);
  const repeats = Math.min(...sizes);
  if (shift.status === 'measured') return judgeShift(shift.value, { floorMs, repeats, ...family });
  const isTooFew = repeats > 0 && Math.max(...sizes) <= largestSample;
  return isTooFew ? tooFew(shift.reason, { ...family, repeats }) : undecided(shift.reason, null);
}
