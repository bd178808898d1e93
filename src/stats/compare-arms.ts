import type { Aggregate, ArmResult } from '../domain/aggregate.ts';
import { armLabeller } from '../domain/arm-labels.ts';
import type { ArmComparison, ComparedArm, MetricComparison } from '../domain/comparison.ts';
import { mapMeasured } from '../domain/measured.ts';
import { compareOutcomes } from './compare-outcomes.ts';
import type { Yardstick } from './judge-shift.ts';
import { adjustedPValues, draftMetrics, judgeDraft, type DraftOptions, type MetricDraft } from './metric-drafts.ts';

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
  const adjusted = adjustedPValues(drafts.flatMap(({ metrics }) => metrics));
  const family = { level: 1 - confidence, tests: adjusted.size };
  return drafts.map(({ arm, metrics }) =>
    arm.status === 'not-compared'
      ? arm
      : {
          ...arm,
          metrics: metrics.map((draft) => judged(draft, adjusted.get(draft) ?? 1, family)),
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

interface ArmDraft {
  readonly arm: ArmComparison;
  readonly metrics: readonly MetricDraft[];
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
  return { arm, metrics: draftMetrics(a, b, options, { older: 'run', sides: 'runs' }) };
}

/** Why an arm has no numbers; null when it has. */
function absence(arm: ArmResult | undefined, run: string): string | null {
  if (arm === undefined) return `${run} does not have it`;
  if (arm.status !== 'complete') return `${run} has it ${arm.status}: ${arm.reason}`;
  return arm.drift.length === 0 ? null : `its repeats drifted in ${run}: ${arm.drift.join('; ')}`;
}

function judged(
  { floorMs, shift, ...draft }: MetricDraft,
  adjustedPValue: number,
  family: Pick<Yardstick, 'level' | 'tests'>,
): MetricComparison {
  const corrected = mapMeasured(shift, (raw) => ({ ...raw, adjustedPValue }));
  const facts = { ...draft, floorMs: floorMs ?? null, shift: corrected };
  return { ...facts, ...judgeDraft({ ...draft, floorMs }, corrected, family) };
}
