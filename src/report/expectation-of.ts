import type { Aggregate, ArmAggregate } from '../domain/aggregate.ts';
import { expectationUnder } from '../domain/expectation-under.ts';
import { valueOf } from '../domain/measured.ts';
import type { Expectation } from '../domain/scenario.ts';
import type { Arm } from '../domain/trial.ts';
import { proxyModes } from '../proxy-modes/index.ts';
import { scenarios } from '../scenarios/index.ts';
import { triggers } from '../triggers/index.ts';

/** What an arm is held against under its data plane; undefined for a scenario of another version. */
export function expectationOf(arm: Arm, environment: Aggregate['environment']): Expectation | undefined {
  const scenario = scenarios.find(arm.scenario);
  const trigger = scenario && triggers.find(scenario.trigger);
  if (scenario === undefined || trigger === undefined) return undefined;
  const seen = valueOf(environment)?.proxyMode;
  const dataPlane = arm.proxyMode ?? (seen && valueOf(seen));
  return expectationUnder(
    scenario,
    trigger,
    dataPlane === undefined ? undefined : proxyModes.find(dataPlane)?.unservedTcp,
  );
}

/** How many TCP flows an arm lost that drained as it should: expected of its data plane, and lost nonetheless. */
export function lostWhileDraining({ arm, verdict, trials }: ArmAggregate): { lost: number; of: number } | undefined {
  const clean = scenarios.find(arm.scenario)?.expects.tcp.kind;
  if (verdict !== 'as-expected' || clean !== 'drained-clean-close') return undefined;
  const counts = trials.flatMap(({ tcp }) => tcp);
  const sum = (some: typeof counts) => some.reduce((total, { flows }) => total + flows, 0);
  const lost = sum(counts.filter(({ outcome }) => outcome !== clean));
  return lost === 0 ? undefined : { lost, of: sum(counts) };
}
