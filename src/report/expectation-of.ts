import type { Aggregate, ArmAggregate } from '../domain/aggregate.ts';
import { expectationUnder } from '../domain/expectation-under.ts';
import type { Expectation, Scenario } from '../domain/scenario.ts';
import type { Arm } from '../domain/trial.ts';
import { proxyModes } from '../proxy-modes/index.ts';
import { scenarios } from '../scenarios/index.ts';
import { triggers } from '../triggers/index.ts';

const named = <T extends { readonly name: string }>(all: Iterable<T>, wanted: string | null): T | undefined =>
  [...all].find(({ name }) => name === wanted);

const scenarioOf = ({ scenario }: Arm): Scenario | undefined => named(scenarios, scenario);

/** What an arm is held against under its data plane; undefined for a scenario of another version. */
export function expectationOf(arm: Arm, environment: Aggregate['environment']): Expectation | undefined {
  const scenario = scenarioOf(arm);
  const trigger = scenario && named(triggers, scenario.trigger);
  if (scenario === undefined || trigger === undefined) return undefined;
  return expectationUnder(scenario, trigger, named(proxyModes, arm.proxyMode ?? seen(environment))?.unservedTcp);
}

const seen = (environment: Aggregate['environment']): string | null =>
  environment.status === 'measured' && environment.value.proxyMode.status === 'measured'
    ? environment.value.proxyMode.value
    : null;

/** How many TCP flows an arm lost that drained as it should: expected of its data plane, and lost nonetheless. */
export function lostWhileDraining({ arm, verdict, trials }: ArmAggregate): { lost: number; of: number } | undefined {
  const clean = scenarioOf(arm)?.expects.tcp.kind;
  if (verdict !== 'as-expected' || clean !== 'drained-clean-close') return undefined;
  const counts = trials.flatMap(({ tcp }) => tcp);
  const sum = (some: typeof counts) => some.reduce((total, { flows }) => total + flows, 0);
  const lost = sum(counts.filter(({ outcome }) => outcome !== clean));
  return lost === 0 ? undefined : { lost, of: sum(counts) };
}
