import type {
  Aggregate,
  ArmAggregate,
  ArmResult,
  ArmVerdict,
  MetricAggregate,
  OutcomeCount,
  TrialSummary,
} from '../domain/aggregate.ts';
import type { Environment } from '../domain/environment.ts';
import { measured, notMeasured } from '../domain/measured.ts';
import type { Metric } from '../domain/metric.ts';
import type { Matrix } from '../domain/matrix.ts';
import type { Arm, TrialFailure } from '../domain/trial.ts';
import { summarize } from '../stats/summarize.ts';
import { compareFactors } from './compare-factors.ts';
import { driftAcrossArms, driftBetween } from './drift.ts';
import { trialIdOf } from './plan.ts';
import type { TrialDigest } from './trial-digest.ts';

/** What is known of an arm besides its reports. */
export interface ArmFacts {
  readonly arm: Arm;
  readonly label: string;
  /** Why the arm was never to run; null when it was. */
  readonly skip: string | null;
}

export interface AggregateInput {
  readonly run: string;
  readonly matrix: Matrix;
  readonly startedAt: string;
  readonly wallSeconds: Aggregate['wallSeconds'];
  readonly arms: readonly ArmFacts[];
  /** Measured trials only, of all arms. */
  readonly trials: readonly TrialDigest[];
  readonly warmUps: number;
  readonly failures: readonly TrialFailure[];
  readonly metrics: Iterable<Metric>;
}

/** Sums up a run. Pure. An arm with fewer trials than repeats is discarded with the reason, never averaged. */
export function aggregate(input: AggregateInput): Aggregate {
  const { trials, matrix } = input;
  const environments = environmentsOf(trials);
  const [first] = environments;
  const arms = input.arms.map((facts) => aggregateArm(facts, input));
  const levels = new Map(
    input.arms.map(({ arm }) => [arm.id, `${arm.proxyMode ?? ''} ${arm.kubernetesVersion ?? ''}`]),
  );
  return {
    schemaVersion: 1,
    run: input.run,
    matrix,
    startedAt: input.startedAt,
    wallSeconds: input.wallSeconds,
    drift: driftAcrossArms(trials.map(({ arm, environment }) => ({ levels: levels.get(arm) ?? '', environment }))),
    environment: first === undefined ? notMeasured('no trial was completed') : measured<Environment>(first),
    arms,
    comparisons: compareFactors(arms, trials, matrix),
    warmUps: input.warmUps,
    failedAttempts: input.failures
      .filter(({ unmetRequirement }) => unmetRequirement !== true)
      .map(({ trial, reason }) => ({ trial, reason })),
  };
}

function aggregateArm(facts: ArmFacts, { trials, matrix, failures, metrics }: AggregateInput): ArmResult {
  const { arm, label, skip } = facts;
  if (skip !== null) return { status: 'skipped', arm, label, reason: skip, completeTrials: 0 };
  const own = trials.filter((trial) => trial.arm === arm.id).toSorted((a, b) => a.repeat - b.repeat);
  if (own.length !== matrix.repeats) {
    // a failure of a trial that a resumed run made good is no reason
    const missing = new Set(Array.from({ length: matrix.repeats }, (_, index) => trialIdOf(arm, index + 1)));
    for (const { summary } of own) missing.delete(summary.id);
    const failure = failures.findLast(({ trial }) => missing.has(trial));
    if (failure?.unmetRequirement === true && own.length === 0) {
      return { status: 'skipped', arm, label, reason: failure.reason, completeTrials: 0 };
    }
    const because = failure === undefined ? 'the run ended before the others' : `${failure.trial}: ${failure.reason}`;
    const reason = `${own.length} of ${matrix.repeats} trials are complete; ${because}`;
    return { status: 'discarded', arm, label, reason, completeTrials: own.length };
  }
  return completeArm(facts, own, metrics);
}

/** Distinct ones, in the order of the trials. */
const environmentsOf = (trials: readonly TrialDigest[]): readonly Environment[] => [
  ...new Set(trials.map(({ environment }) => environment)),
];

function completeArm({ arm, label }: ArmFacts, own: readonly TrialDigest[], metrics: Iterable<Metric>): ArmAggregate {
  const drift = driftBetween(environmentsOf(own), { acrossArms: false });
  const trials = own.map(({ summary }) => summary);
  return {
    status: 'complete',
    arm,
    label,
    verdict: verdictOf(trials, drift),
    disagreements: disagreementsOf(trials),
    drift,
    trials,
    metrics: [...metrics].map(({ name }) => aggregateMetric(name, own, drift)),
  };
}

function verdictOf(trials: readonly TrialSummary[], drift: readonly string[]): ArmVerdict {
  if (trials.some(({ unexpected }) => unexpected.length > 0)) return 'not-as-expected';
  if (drift.length > 0 || trials.some(({ inconclusive }) => inconclusive.length > 0)) return 'inconclusive';
  return 'as-expected';
}

function aggregateMetric(metric: string, trials: readonly TrialDigest[], drift: readonly string[]): MetricAggregate {
  const results = trials.map(({ summary, metrics }) => ({
    trial: summary.id,
    result: metrics[metric] ?? notMeasured('the report was written before this metric existed'),
  }));
  const samples = results.flatMap(({ result }) => (result.status === 'measured' ? [result.value] : []));
  const absent = results.flatMap(({ trial, result }) =>
    result.status === 'measured' ? [] : [{ trial, reason: result.reason }],
  );
  const [value, ...rest] = samples.map((sample) => sample.value);
  return {
    metric,
    summary:
      drift.length > 0
        ? notMeasured('the repeats drifted, so they are not one sample')
        : value === undefined
          ? notMeasured(absent[0]?.reason ?? 'no trial measured it')
          : measured(summarize([value, ...rest])),
    precisions: [...new Set(samples.map(({ precision }) => precision))].toSorted(),
    notMeasured: absent,
  };
}

/** How the repeats ended differently, each way as one line. */
function disagreementsOf(trials: readonly TrialSummary[]): readonly string[] {
  const aspects: readonly (readonly [string, (trial: TrialSummary) => string])[] = [
    ['TCP outcomes', ({ tcp }) => describeCounts(tcp)],
    ['UDP outcomes', ({ udp }) => describeCounts(udp)],
    ['re-homed UDP flows', ({ udpRehomed }) => `${udpRehomed}`],
    ['exit codes', ({ exitCode }) => (exitCode.status === 'measured' ? `${exitCode.value}` : 'not measured')],
  ];
  return aspects.flatMap(([aspect, read]) => {
    const groups = new Map<string, number>();
    for (const way of trials.map(read)) groups.set(way, (groups.get(way) ?? 0) + 1);
    if (groups.size < 2) return [];
    const parts = [...groups].map(([way, members]) => `${way} in ${members}`);
    return [`${aspect} differ between repeats: ${parts.join('; ')}`];
  });
}

const describeCounts = (counts: readonly OutcomeCount[]) =>
  counts.length === 0 ? 'none' : counts.map(({ outcome, flows }) => `${flows} ${outcome}`).join(' + ');
