import type { Aggregate, ArmAggregate, ArmResult, MetricAggregate } from '../domain/aggregate.ts';
import { armLabeller } from '../domain/arm-labels.ts';
import type { ArmComparison, ComparedArm, MetricComparison } from '../domain/comparison.ts';
import { mapMeasured, notMeasured, valueOf, type Measured } from '../domain/measured.ts';
import { shiftFloorMs } from '../domain/shift-floor.ts';
import { compareOutcomes } from './compare-outcomes.ts';
import { holm } from './holm.ts';
import { judgeShift, tooFew, undecided } from './judge-shift.ts';
import { largestSample } from './rank-sum-distribution.ts';
import { shiftBetween, type RawShift } from './shift-between.ts';

/**
 * Two runs, arm by arm and metric by metric. Outcomes come first; the shifts of all metrics of all arms are one
 * family of tests. Arms of the same name belong together; where no name is common to both, those of the
 * same scenario. An arm that was skipped in both is left out.
 */
export function compareArms(a: Aggregate, b: Aggregate, confidence: number): readonly ArmComparison[] {
  const label = armLabeller(a);
  const floorConditions = { udpIntervalMs: Math.max(a.matrix.udpIntervalMs, b.matrix.udpIntervalMs) };
  const drafts = pairArms(a.arms, b.arms)
    .filter(({ a: ours, b: theirs }) => !(ours?.status === 'skipped' && theirs?.status === 'skipped'))
    .map((pair) => draftOf(pair, label, { ...floorConditions, confidence }));
  const tested = drafts.flatMap(({ metrics }) => metrics).filter(({ shift }) => shift.status === 'measured');
  const adjusted = holm(tested.flatMap(({ shift }) => valueOf(shift)?.pValue ?? []));
  const adjustedOf = new Map(tested.map((draft, index) => [draft, adjusted[index] ?? 1]));
  return drafts.map(({ arm, metrics }) =>
    arm.status === 'not-compared'
      ? arm
      : {
          ...arm,
          metrics: metrics.map((draft) =>
            judged(draft, adjustedOf.get(draft) ?? 1, { level: 1 - confidence, tests: tested.length }),
          ),
        },
  );
}

interface Pair {
  readonly a: ArmResult | undefined;
  readonly b: ArmResult | undefined;
}

function pairArms(a: readonly ArmResult[], b: readonly ArmResult[]): readonly Pair[] {
  const byName = ({ arm }: ArmResult) => arm.id;
  const byScenario = ({ arm }: ArmResult) => arm.scenario;
  const names = new Set(a.map(byName));
  const isOnce = (arms: readonly ArmResult[]) => new Set(arms.map(byScenario)).size === arms.length;
  const key = !b.some((arm) => names.has(byName(arm))) && isOnce(a) && isOnce(b) ? byScenario : byName;
  const keys = [...new Set([...a, ...b].map(key))];
  const find = (arms: readonly ArmResult[], wanted: string) => arms.find((arm) => key(arm) === wanted);
  return keys.map((wanted) => ({ a: find(a, wanted), b: find(b, wanted) }));
}

interface MetricDraft {
  readonly metric: string;
  readonly a: MetricAggregate['summary'];
  readonly b: MetricAggregate['summary'];
  readonly floorMs: number | undefined;
  readonly shift: Measured<RawShift>;
}

interface ArmDraft {
  readonly arm: ArmComparison;
  readonly metrics: readonly MetricDraft[];
}

interface DraftOptions {
  readonly udpIntervalMs: number;
  readonly confidence: number;
}

function draftOf({ a, b }: Pair, label: (arm: ArmResult) => string, options: DraftOptions): ArmDraft {
  const known = a ?? b;
  if (known === undefined) throw new Error('a pair has at least one arm');
  const names = { arm: known.arm, label: label(known) };
  const reason = absence(a, 'the first run') ?? absence(b, 'the second run');
  if (reason !== null || a?.status !== 'complete' || b?.status !== 'complete') {
    return { arm: { status: 'not-compared', ...names, reason: reason ?? 'it is not complete' }, metrics: [] };
  }
  const arm: ComparedArm = {
    status: 'compared',
    ...names,
    repeats: { a: a.trials.length, b: b.trials.length },
    outcomes: compareOutcomes(a.trials, b.trials, 1 - options.confidence),
    metrics: [],
  };
  return { arm, metrics: draftMetrics(a, b, options) };
}

/** Why an arm has no numbers; null when it has. */
function absence(arm: ArmResult | undefined, run: string): string | null {
  if (arm === undefined) return `${run} does not have it`;
  if (arm.status !== 'complete') return `${run} has it ${arm.status}: ${arm.reason}`;
  return arm.drift.length === 0 ? null : `its repeats drifted in ${run}: ${arm.drift.join('; ')}`;
}

function draftMetrics(
  a: ArmAggregate,
  b: ArmAggregate,
  { udpIntervalMs, confidence }: DraftOptions,
): readonly MetricDraft[] {
  const names = [...new Set([...a.metrics, ...b.metrics].map(({ metric }) => metric))];
  const summaryOf = ({ metrics }: ArmAggregate, name: string) =>
    metrics.find(({ metric }) => metric === name)?.summary ?? notMeasured('the run is older than this metric');
  return names.flatMap((metric) => {
    const [ours, theirs] = [summaryOf(a, metric), summaryOf(b, metric)];
    if (ours.status === 'not-measured' && theirs.status === 'not-measured') return [];
    const shift =
      ours.status === 'measured' && theirs.status === 'measured'
        ? shiftBetween(ours.value, theirs.value, confidence)
        : notMeasured('only one of the runs measured it');
    return [{ metric, a: ours, b: theirs, floorMs: shiftFloorMs(metric, { udpIntervalMs }), shift }];
  });
}

function judged(
  { floorMs, shift, ...draft }: MetricDraft,
  adjustedPValue: number,
  family: { readonly level: number; readonly tests: number },
): MetricComparison {
  const sizes = [draft.a, draft.b].map((summary) => valueOf(summary)?.n ?? 0);
  const repeats = Math.min(...sizes);
  const corrected = mapMeasured(shift, (raw) => ({ ...raw, adjustedPValue }));
  const facts = { ...draft, floorMs: floorMs ?? null, shift: corrected };
  if (floorMs === undefined) return { ...facts, ...undecided('this version knows no floor for it', null) };
  if (corrected.status === 'measured') {
    return { ...facts, ...judgeShift(corrected.value, { floorMs, repeats, ...family }) };
  }
  const { reason } = corrected;
  const isTooFew = repeats > 0 && Math.max(...sizes) <= largestSample;
  return { ...facts, ...(isTooFew ? tooFew(reason, { ...family, repeats }) : undecided(reason, null)) };
}
