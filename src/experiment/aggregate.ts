import type {
  Aggregate,
  ArmAggregate,
  ArmResult,
  ArmVerdict,
  MetricAggregate,
  OutcomeCount,
  TrialSummary,
} from '../domain/aggregate.ts';
import { outcomeName } from '../domain/classify.ts';
import type { Environment } from '../domain/environment.ts';
import type { Flow, Protocol } from '../domain/flow.ts';
import { mapMeasured, measured, notMeasured } from '../domain/measured.ts';
import type { Metric } from '../domain/metric.ts';
import type { Matrix } from '../domain/matrix.ts';
import type { Arm, TrialReport, TrialFailure } from '../domain/trial.ts';
import { summarize } from '../stats/summarize.ts';
import { driftBetween } from './drift.ts';
import { trialIdOf } from './plan.ts';
import { watchGapsOf } from './watch-gaps.ts';

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
  readonly reports: readonly TrialReport[];
  readonly warmUps: number;
  readonly failures: readonly TrialFailure[];
  readonly metrics: Iterable<Metric>;
}

/** Sums up a run. Pure. An arm with fewer trials than repeats is discarded with the reason, never averaged. */
export function aggregate(input: AggregateInput): Aggregate {
  const { reports, matrix } = input;
  const environments = reports.map(({ environment }) => environment);
  const [first] = environments;
  return {
    schemaVersion: 1,
    run: input.run,
    matrix,
    startedAt: input.startedAt,
    wallSeconds: input.wallSeconds,
    drift: driftBetween(environments, { acrossArms: true }),
    environment: first === undefined ? notMeasured('no trial was completed') : measured<Environment>(first),
    arms: input.arms.map((facts) => aggregateArm(facts, input)),
    warmUps: input.warmUps,
    failedAttempts: input.failures
      .filter(({ unmetRequirement }) => unmetRequirement !== true)
      .map(({ trial, reason }) => ({ trial, reason })),
  };
}

function aggregateArm(facts: ArmFacts, { reports, matrix, failures, metrics }: AggregateInput): ArmResult {
  const { arm, label, skip } = facts;
  if (skip !== null) return { status: 'skipped', arm, label, reason: skip, completeTrials: 0 };
  const own = reports
    .filter(({ trial }) => trial.arm.id === arm.id)
    .toSorted((a, b) => a.trial.repeat - b.trial.repeat);
  if (own.length !== matrix.repeats) {
    // a failure of a trial that a resumed run made good is no reason
    const missing = new Set(Array.from({ length: matrix.repeats }, (_, index) => trialIdOf(arm, index + 1)));
    for (const { trial } of own) missing.delete(trial.id);
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

function completeArm(
  { arm, label }: ArmFacts,
  reports: readonly TrialReport[],
  metrics: Iterable<Metric>,
): ArmAggregate {
  const drift = driftBetween(
    reports.map(({ environment }) => environment),
    { acrossArms: false },
  );
  const trials = reports.map(summarizeTrial);
  return {
    status: 'complete',
    arm,
    label,
    verdict: verdictOf(trials, drift),
    disagreements: disagreementsOf(trials),
    drift,
    trials,
    metrics: [...metrics].map(({ name }) => aggregateMetric(name, reports, drift)),
  };
}

function verdictOf(trials: readonly TrialSummary[], drift: readonly string[]): ArmVerdict {
  if (trials.some(({ unexpected }) => unexpected.length > 0)) return 'not-as-expected';
  if (drift.length > 0 || trials.some(({ inconclusive }) => inconclusive.length > 0)) return 'inconclusive';
  return 'as-expected';
}

function aggregateMetric(metric: string, reports: readonly TrialReport[], drift: readonly string[]): MetricAggregate {
  const results = reports.map(({ trial, metrics }) => ({
    trial: trial.id,
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

function summarizeTrial({ trial, unexpected, inconclusive }: TrialReport): TrialSummary {
  return {
    id: trial.id,
    firstOnCluster: trial.firstOnCluster,
    tcp: countOutcomes(trial.flows, 'tcp'),
    udp: countOutcomes(trial.flows, 'udp'),
    udpRehomed: trial.flows.filter((flow) => flow.protocol === 'udp' && flow.rehomed !== null).length,
    exitCode: mapMeasured(trial.container, ({ exitCode }) => exitCode),
    clock: trial.clock.relation,
    stampDelayMs: trial.client.stampDelayMs,
    watchGaps: watchGapsOf(trial.timeline),
    unexpected,
    inconclusive,
  };
}

function countOutcomes(flows: readonly Flow[], protocol: Protocol): readonly OutcomeCount[] {
  const counts = new Map<string, number>();
  for (const flow of flows.filter((candidate) => candidate.protocol === protocol)) {
    const name = outcomeName(flow.outcome);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([outcome, number]) => ({ outcome, flows: number })).toSorted((a, b) => b.flows - a.flows);
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
