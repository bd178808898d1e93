import { outcomeName } from '../domain/classify.ts';
import type { Flow } from '../domain/flow.ts';
import type { Expectation } from '../domain/scenario.ts';
import type { Trial } from '../domain/trial.ts';

/** Every way in which a trial is outside its scenario's expectation. The trial is the unit, not the flow. */
export function unexpectedIn(trial: Pick<Trial, 'scenario' | 'flows' | 'container'>): readonly string[] {
  const { expects } = trial.scenario;
  return [...unexpectedFlows(trial.flows, expects), ...unexpectedExit(trial.container, expects)];
}

function unexpectedFlows(flows: readonly Flow[], { tcp }: Expectation): readonly string[] {
  const strays = flows.filter((flow) => flow.protocol === 'tcp' && !matches(flow, tcp));
  if (strays.length === 0) return [];
  const names = [...new Set(strays.map(({ outcome }) => outcomeName(outcome)))];
  return [`${strays.length} TCP flows ended as ${names.join(', ')}; expected ${describeExpectation(tcp)}`];
}

function matches({ outcome }: Flow, { kind, by }: Expectation['tcp']): boolean {
  if (outcome.kind !== kind) return false;
  return outcome.kind !== 'severed' || by === undefined || by.includes(outcome.by);
}

/** As `severed (rst or unannounced-fin)`. */
export const describeExpectation = ({ kind, by }: Expectation['tcp']): string =>
  by === undefined ? kind : `${kind} (${by.join(' or ')})`;

function unexpectedExit(container: Trial['container'], { exitCode }: Expectation): readonly string[] {
  if (container.status === 'not-measured')
    return [`the exit code was not measured: ${container.reason}; expected ${exitCode}`];
  return container.value.exitCode === exitCode ? [] : [`exit code ${container.value.exitCode}; expected ${exitCode}`];
}
