import type { Provider, ProxyMode } from '../domain/cluster.ts';
import { inputError } from '../domain/errors.ts';
import { expectationUnder } from '../domain/expectation-under.ts';
import type { Matrix } from '../domain/matrix.ts';
import type { Registry } from '../domain/registry.ts';
import { drainMarginSeconds, type Expectation, type Requirement, type Scenario } from '../domain/scenario.ts';
import type { Arm, Conditions, Isolation } from '../domain/trial.ts';
import type { Trigger } from '../domain/trigger.ts';
import { udpIntervalFor, udpSilenceFor } from '../domain/udp-interval.ts';

/** The plug-ins that names in a matrix are looked up in. */
export interface PlugIns {
  readonly scenarios: Registry<Scenario>;
  readonly triggers: Registry<Trigger>;
  readonly proxyModes: Registry<ProxyMode>;
}

/** Names a measured trial, as `drain.iptables-03`. */
export const trialIdOf = ({ id }: Pick<Arm, 'id'>, repeat: number): string =>
  `${id}-${String(repeat).padStart(2, '0')}`;

export interface PlannedArm {
  readonly arm: Arm;
  readonly scenario: Scenario;
  readonly trigger: Trigger;
  readonly proxyMode: ProxyMode | null;
  /** What trials are held against where this runs, by a proxy mode's name; null: it is not known what does. */
  readonly expectsUnder: (dataPlane: string | null) => Expectation;
  /** Why the arm can't run with this provider; null when it can. */
  readonly skip: string | null;
}

/** Arms that share a cluster. */
export interface ClusterGroup {
  readonly proxyMode: ProxyMode | null;
  readonly kubernetesVersion: string | null;
  /** Whether the cluster is made so that evidence can be collected on it. */
  readonly evidence: boolean;
  readonly arms: readonly PlannedArm[];
}

export interface Plan {
  readonly matrix: Matrix;
  readonly conditions: Conditions;
  readonly isolation: Isolation;
  readonly arms: readonly PlannedArm[];
  readonly groups: readonly ClusterGroup[];
  readonly trials: number;
  /** What the waiting alone takes: settle, grace and trailing of every trial. Deploying and clusters come on top. */
  readonly floorSeconds: number;
}

type PlanningProvider = Pick<Provider, 'name' | 'capabilities'>;

/**
 * Turns a matrix into arms and the clusters that they share. Pure: nothing is made.
 *
 * @throws {ActionableError} of kind `input` for an unknown or repeated name, or a grace period that leaves no time to drain.
 */
export function planExperiment(matrix: Matrix, provider: PlanningProvider, plugIns: PlugIns): Plan {
  for (const factor of ['scenarios', 'proxyModes', 'kubernetesVersions'] as const) refuseRepeats(matrix, factor);
  const scenarios = matrix.scenarios.map((name) => plugIns.scenarios.get(name));
  const modes = matrix.proxyModes.map((name) => plugIns.proxyModes.get(name));
  refuseShortGrace(matrix, scenarios);

  const clusters = orNull(modes).flatMap((proxyMode) =>
    orNull(matrix.kubernetesVersions).map((kubernetesVersion) => ({
      proxyMode,
      kubernetesVersion,
      evidence: matrix.evidence,
    })),
  );
  const armGroups = clusters.map((cluster) => ({
    ...cluster,
    arms: scenarios.map((scenario) => planArm({ ...cluster, scenario, provider, plugIns })),
  }));
  const groups =
    matrix.clusterReuse === 'shared'
      ? armGroups
      : armGroups.flatMap(({ arms, ...cluster }) => arms.map((arm) => ({ ...cluster, arms: [arm] })));
  const arms = groups.flatMap((group) => group.arms);
  const conditions = conditionsOf(matrix);
  const runnable = arms.filter(({ skip }) => skip === null);
  return {
    matrix,
    conditions,
    isolation: isolationOf(matrix),
    arms,
    groups,
    trials: runnable.length * matrix.repeats,
    floorSeconds: runnable.reduce(
      (sum, { scenario }) => sum + matrix.repeats * trialFloorSeconds(scenario, conditions),
      0,
    ),
  };
}

const orNull = <T>(levels: readonly T[]): readonly (T | null)[] => (levels.length === 0 ? [null] : levels);

interface ArmFactors {
  readonly scenario: Scenario;
  readonly proxyMode: ProxyMode | null;
  readonly kubernetesVersion: string | null;
  readonly provider: PlanningProvider;
  readonly plugIns: PlugIns;
}

function planArm({ scenario, proxyMode, kubernetesVersion, provider, plugIns }: ArmFactors): PlannedArm {
  const trigger = plugIns.triggers.get(scenario.trigger);
  const missing = [...scenario.requires, ...trigger.requires].find((name) => !provider.capabilities.has(name));
  return {
    arm: {
      id: [scenario.name, proxyMode?.name, kubernetesVersion].filter((level) => level != null).join('.'),
      scenario: scenario.name,
      proxyMode: proxyMode?.name ?? null,
      kubernetesVersion,
    },
    scenario,
    trigger,
    proxyMode,
    expectsUnder: (dataPlane) => {
      const running = dataPlane === null ? undefined : plugIns.proxyModes.find(dataPlane);
      return expectationUnder(scenario, trigger, running?.unservedTcp);
    },
    skip: missing === undefined ? null : `provider ${provider.name} has no ${describeRequirement(missing)}`,
  };
}

const descriptions: Readonly<Record<Requirement, string>> = {
  'kubernetes-api': 'Kubernetes API',
  'multi-node': 'more than one node',
  'node-exec': 'way to run a command on a node',
  'cluster-configuration': 'choice of proxy mode or version',
};
const describeRequirement = (name: Requirement) => descriptions[name];

const drains = ({ behavior }: Scenario) => behavior === 'drain' || behavior === 'drain-ready';

/** Without an answer for so long a flow has ended; it is placed at its first unanswered message, not this much later. */
const tcpReadTimeoutMs = 5_000;
/** Less than the second after which a SYN is sent again (RFC 6298, section 2): an attempt is one SYN. */
const newConnectionLimitMs = 900;

/** The conditions that all trials of a matrix share. */
export function conditionsOf(matrix: Matrix): Conditions {
  const udpIntervalMs = udpIntervalFor(matrix.flows.udp, matrix.udpIntervalMs, isolationOf(matrix).lanes);
  return {
    gracePeriodSeconds: matrix.gracePeriodSeconds,
    drainSeconds: Math.max(matrix.gracePeriodSeconds - drainMarginSeconds, 0),
    flows: matrix.flows,
    tcpHeartbeatMs: matrix.tcpHeartbeatMs,
    udpIntervalMs,
    settleSeconds: matrix.settleSeconds,
    trailingSeconds: matrix.trailingSeconds,
    tcpReadTimeoutMs,
    udpSilenceMs: udpSilenceFor(udpIntervalMs),
    newConnectionIntervalMs: matrix.newConnectionIntervalMs,
    newConnectionLimitMs,
    evidence: matrix.evidence,
  };
}

/**
 * Least time between two trials' critical moments: kube-proxy's default minSyncPeriod, so that no trial's changes are held
 * back by a sync that was done for another (kube-proxy, proxyutil BoundedFrequencyRunner).
 */
const momentSpacingMs = 1_000;

/** What `auto` stands for is settled when a matrix is fitted to its provider; before that it is one trial at a time. */
const isolationOf = ({ concurrency }: Matrix): Isolation =>
  concurrency === 'auto' || concurrency === 1
    ? { lanes: 1, spacingMs: null }
    : { lanes: concurrency, spacingMs: momentSpacingMs };

/** When the workload is due to end, in seconds after the trigger. */
export function endingSeconds(scenario: Scenario, conditions: Conditions): number {
  if (drains(scenario)) return conditions.drainSeconds;
  return scenario.behavior === 'ignore' ? conditions.gracePeriodSeconds : 0;
}

/** The waiting of one trial that no machine can shorten, in seconds. */
export const trialFloorSeconds = (scenario: Scenario, conditions: Conditions): number =>
  conditions.settleSeconds + endingSeconds(scenario, conditions) + conditions.trailingSeconds;

function refuseRepeats(matrix: Matrix, factor: 'scenarios' | 'proxyModes' | 'kubernetesVersions'): void {
  const levels = matrix[factor];
  const repeated = levels.find((level, index) => levels.indexOf(level) !== index);
  if (repeated === undefined) return;
  throw inputError({
    expected: `each of ${factor} once`,
    found: `${factor} names ${repeated} twice`,
    remedy: 'remove one; repeats are set by `repeats`',
  });
}

function refuseShortGrace(matrix: Matrix, scenarios: readonly Scenario[]): void {
  const draining = scenarios.find(drains);
  if (draining === undefined || matrix.gracePeriodSeconds > drainMarginSeconds) return;
  throw inputError({
    expected: `a grace period of more than ${drainMarginSeconds} s, which scenario ${draining.name} needs to drain and close`,
    found: `a grace period of ${matrix.gracePeriodSeconds} s`,
    remedy: 'give a longer grace period, or leave the draining scenarios out',
  });
}
