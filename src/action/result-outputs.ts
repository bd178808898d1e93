import type { Aggregate, ArmAggregate, ArmResult } from '../domain/aggregate.ts';
import { completeArms } from '../domain/arm-labels.ts';
import { valueOf } from '../domain/measured.ts';
import { runVerdictOf } from '../domain/run-verdict.ts';

/** GitHub takes a MiB for all outputs of a job: no text of a cluster may use it up. */
const longestText = 300;
const clipped = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > longestText ? `${value.slice(0, longestText - 1)}…` : value;

/** The outputs of action.yml that are known once the run is aggregated. */
export function resultOutputs(aggregate: Aggregate, folder: string): Readonly<Record<string, string>> {
  const verdict = runVerdictOf(aggregate);
  const arms = completeArms(aggregate);
  return {
    passed: String(verdict === 'as-expected'),
    verdict,
    run: aggregate.run,
    trials: String(arms.reduce((sum, { trials }) => sum + trials.length, 0)),
    'report-folder': folder,
    'summary-json': JSON.stringify(summaryOf(aggregate), clipped),
    medians: JSON.stringify(Object.fromEntries(arms.map((arm) => [arm.arm.id, mediansOf(arm)]))),
  };
}

const summaryOf = (aggregate: Aggregate) => {
  const environment = valueOf(aggregate.environment);
  return {
    run: aggregate.run,
    verdict: runVerdictOf(aggregate),
    startedAt: aggregate.startedAt,
    wallSeconds: valueOf(aggregate.wallSeconds) ?? null,
    drift: aggregate.drift,
    environment:
      environment === undefined
        ? null
        : {
            tool: environment.tool,
            provider: environment.provider,
            kubernetesVersion: valueOf(environment.kubernetesVersion) ?? null,
            proxyMode: valueOf(environment.proxyMode) ?? null,
            cni: valueOf(environment.cni) ?? null,
            nodes: environment.nodes.length,
          },
    arms: aggregate.arms.map(armSummary),
  };
};

function armSummary(arm: ArmResult) {
  const { status, label } = arm;
  const { id, scenario, proxyMode, kubernetesVersion } = arm.arm;
  const facts = { id, scenario, proxyMode, kubernetesVersion, label, status };
  if (arm.status !== 'complete') return { ...facts, reason: arm.reason };
  return {
    ...facts,
    verdict: arm.verdict,
    disagreements: arm.disagreements,
    drift: arm.drift,
    trials: arm.trials.map((trial) => ({
      id: trial.id,
      tcp: trial.tcp,
      udp: trial.udp,
      udpRehomed: trial.udpRehomed,
      exitCode: valueOf(trial.exitCode) ?? null,
      unexpected: trial.unexpected,
    })),
    medians: mediansOf(arm),
  };
}

/** Metrics that were not measured are left out: they have no median, and no 0 either. */
const mediansOf = ({ metrics }: ArmAggregate): Readonly<Record<string, number>> =>
  Object.fromEntries(
    metrics.flatMap(({ metric, summary }) => (summary.status === 'measured' ? [[metric, summary.value.median]] : [])),
  );
