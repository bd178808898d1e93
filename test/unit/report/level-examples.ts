import type { Aggregate, ArmAggregate, ArmResult } from '../../../src/domain/aggregate.ts';
import type { Factor, LevelComparison } from '../../../src/domain/level-comparison.ts';
import { compareLevels } from '../../../src/stats/compare-levels.ts';
import type { Sample } from '../../../src/stats/summarize.ts';
import { aggregateOf, all, armOf, type ArmOptions } from './example-reports.ts';

export interface Levels {
  readonly proxyMode: string | null;
  readonly kubernetesVersion?: string;
}

/** A complete arm at a level, with identifiers of its own. */
export function armAtLevel(scenario: string, levels: Levels, options: ArmOptions): ArmAggregate {
  const { proxyMode, kubernetesVersion = null } = levels;
  const arm = armOf(scenario, options);
  const id = [scenario, proxyMode, kubernetesVersion].filter((level) => level !== null).join('.');
  const renamed = (trial: string) => trial.replace(arm.arm.id, id);
  return {
    ...arm,
    arm: { id, scenario, proxyMode, kubernetesVersion },
    trials: arm.trials.map((trial) => ({ ...trial, id: renamed(trial.id) })),
    metrics: arm.metrics.map((metric) => ({
      ...metric,
      notMeasured: metric.notMeasured.map(({ trial, reason }) => ({ trial: renamed(trial), reason })),
    })),
  };
}

export const skippedArm = (scenario: string, levels: Levels, reason: string): ArmResult => {
  const { arm, label } = armAtLevel(scenario, levels, { tcp: [], udp: [] });
  return { status: 'skipped', arm, label, reason, completeTrials: 0 };
};

const shifted = (values: Sample, by: number): Sample => {
  const [first, ...rest] = values;
  return [first + by, ...rest.map((value) => value + by)];
};

const exits: Sample = [25_030, 25_040, 25_050, 25_060, 25_070];

/** A drain whose UDP flows go to the replacement as soon as that is ready; later by `byMs` ms. */
export function rehomedDrain(byMs = 0): ArmOptions {
  const moved = shifted([2_180, 2_240, 2_280, 2_290, 2_301], byMs);
  const values = {
    'trigger-to-last-tcp-end': [25_029, 25_039, 25_049, 25_059, 25_069],
    'trigger-to-first-udp-end': moved,
    'trigger-to-first-udp-rehome': shifted(moved, 1),
    'trigger-to-replacement-ready': [1_230, 1_240, 1_250, 1_260, 1_270],
    'trigger-to-probe-exit': exits,
    'dead-endpoint-window': [182, 190, 207, 210, 224],
  } as const;
  return { tcp: all('drained-clean-close'), udp: all('severed (rehomed)'), udpRehomed: 10, values };
}

/** A drain whose UDP flows stay on the old pod to its end. */
export function stayedDrain(): ArmOptions {
  const values = {
    ...rehomedDrain().values,
    'trigger-to-first-udp-end': shifted(exits, -5),
    'trigger-to-first-udp-rehome': shifted(exits, 400),
  };
  return { tcp: all('drained-clean-close'), udp: all('severed (icmp-unreachable)'), udpRehomed: 10, values };
}

/** The first repeats of an arm's options. */
export const fewer = ({ values = {}, ...options }: ArmOptions, repeats: number): ArmOptions => ({
  ...options,
  repeats,
  values: Object.fromEntries(
    Object.entries(values).map(([name, [first, ...rest]]) => [name, [first, ...rest.slice(0, repeats - 1)] as const]),
  ),
});

const options = { confidence: 0.95, udpIntervalMs: 20 };

export function comparisonOf(arms: readonly ArmResult[], factor: Factor = 'proxy-mode'): LevelComparison {
  const comparison = compareLevels(arms, { ...options, factor });
  if (comparison === undefined) throw new Error(`the arms have less than two levels of ${factor}`);
  return { ...comparison, alsoDiffer: [] };
}

/** A run with all its comparisons. */
export const leveledAggregate = (arms: readonly ArmResult[], changes: Partial<Aggregate> = {}): Aggregate =>
  aggregateOf({
    arms,
    comparisons: (['proxy-mode', 'kubernetes-version'] as const).flatMap((factor) => {
      const comparison = compareLevels(arms, { ...options, factor });
      return comparison === undefined ? [] : [{ ...comparison, alsoDiffer: [] }];
    }),
    ...changes,
  });

const noModule = 'the kernel has no ip_vs module';

/** Two scenarios under three modes that ran and one that could not. */
export const modeArms: readonly ArmResult[] = ['drain', 'drain-evict'].flatMap((scenario) => [
  armAtLevel(scenario, { proxyMode: 'iptables' }, rehomedDrain()),
  armAtLevel(scenario, { proxyMode: 'nftables' }, rehomedDrain(3)),
  armAtLevel(scenario, { proxyMode: 'cilium' }, stayedDrain()),
  skippedArm(scenario, { proxyMode: 'ipvs' }, noModule),
]);

/** One scenario under two versions and two modes. */
export const versionArms: readonly ArmResult[] = ['iptables', 'nftables'].flatMap((proxyMode) => [
  armAtLevel('drain', { proxyMode, kubernetesVersion: 'v1.34' }, rehomedDrain()),
  armAtLevel('drain', { proxyMode, kubernetesVersion: 'v1.37' }, rehomedDrain(-900)),
]);
