import { endOf, outcomeName } from '../domain/classify.ts';
import type { GeneratorFacts } from '../domain/client.ts';
import type { TimelineEvent } from '../domain/event.ts';
import type { Flow } from '../domain/flow.ts';
import type { Expectation, ExpectedEnd } from '../domain/scenario.ts';
import type { Conditions, Trial } from '../domain/trial.ts';

type Judged = Pick<Trial, 'scenario' | 'flows' | 'container' | 'conditions' | 'timeline' | 'client'>;

/** The kubelet times the grace period on a clock of its own; each may run 500 ppm off (adjtimex(2)). */
const clocksApart = 0.001;

/** Every way in which a trial is outside its scenario's expectation. The trial is the unit, not the flow. */
export function unexpectedIn({ scenario, flows, container, conditions }: Judged): readonly string[] {
  const { tcp, exitCode } = scenario.expects;
  const ended = measuredFlows(flows);
  return [
    ...unexpectedWays(ended, tcp),
    ...earlyEnds(ended, tcp, conditions),
    ...(container.status === 'measured' && container.value.exitCode !== exitCode
      ? [`exit code ${container.value.exitCode}; expected ${exitCode}`]
      : []),
  ];
}

/** What of the expectation can't be judged: what was not measured is neither as expected nor otherwise. */
export function inconclusiveIn({ scenario, flows, container, timeline, client }: Judged): readonly string[] {
  const { tcp, exitCode } = scenario.expects;
  const unknown = tcpFlows(flows).flatMap(({ outcome }) => (outcome.kind === 'not-measured' ? [outcome.reason] : []));
  return [
    ...(unknown.length === 0
      ? []
      : [
          `how ${unknown.length} TCP flows ended was not measured: ${[...new Set(unknown)].join('; ')}; expected ${describeExpectation(tcp)}`,
        ]),
    ...(container.status === 'measured'
      ? []
      : [`the exit code was not measured: ${container.reason}${interruption(timeline)}; expected ${exitCode}`]),
    ...ownLosses(flows, client.generator),
  ];
}

/** A UDP flow that fell silent while the client itself lost answers on it may have been alive. */
function ownLosses(flows: readonly Flow[], generator: GeneratorFacts | undefined): readonly string[] {
  if (generator?.droppedAnswers.status !== 'measured') return [];
  const dropped = new Map(generator.droppedAnswers.value.map(({ flow, answers }) => [flow, answers]));
  const suspect = flows.filter(
    ({ id, outcome }) => outcome.kind === 'severed' && outcome.by === 'silence' && dropped.has(id),
  );
  if (suspect.length === 0) return [];
  const answers = suspect.reduce((sum, { id }) => sum + (dropped.get(id) ?? 0), 0);
  return [
    `${suspect.length} UDP flows fell silent, and the client dropped ${answers} answers on them unread: their silence may be its own`,
  ];
}

const tcpFlows = (flows: readonly Flow[]) => flows.filter(({ protocol }) => protocol === 'tcp');
const measuredFlows = (flows: readonly Flow[]) =>
  tcpFlows(flows).filter(({ outcome }) => outcome.kind !== 'not-measured');

function unexpectedWays(flows: readonly Flow[], tcp: Expectation['tcp']): readonly string[] {
  const strays = flows.filter((flow) => !endedAs(flow, tcp));
  if (strays.length === 0) return [];
  const names = [...new Set(strays.map(({ outcome }) => outcomeName(outcome)))];
  return [`${strays.length} TCP flows ended as ${names.join(', ')}; expected ${describeExpectation(tcp)}`];
}

const endedAs = (flow: Flow, tcp: Expectation['tcp']): boolean =>
  endedBy(flow, tcp) || (tcp.or !== undefined && endedBy(flow, tcp.or));

function endedBy({ outcome }: Flow, { kind, by }: ExpectedEnd): boolean {
  if (outcome.kind !== kind) return false;
  return outcome.kind !== 'severed' || by === undefined || by.includes(outcome.by);
}

/** Flows that ended in an expected way, but surely before they may. */
function earlyEnds(
  flows: readonly Flow[],
  tcp: Expectation['tcp'],
  { gracePeriodSeconds }: Conditions,
): readonly string[] {
  if (tcp.notBefore === undefined) return [];
  const fromMs = gracePeriodSeconds * 1000 * (1 - clocksApart);
  const early = flows.filter((flow) => endedAs(flow, tcp)).flatMap(({ outcome }) => latest(outcome) ?? []);
  const tooEarly = early.filter((atMs) => atMs < fromMs);
  if (tooEarly.length === 0) return [];
  const first = Math.round(Math.min(...tooEarly));
  return [
    `${tooEarly.length} TCP flows ended before the grace period, the first ${first} ms after the trigger; expected ${describeExpectation(tcp)}`,
  ];
}

/** The latest moment at which a flow can have ended, in ms after the trigger. */
function latest(outcome: Flow['outcome']): number | undefined {
  const at = endOf(outcome);
  return at && at.tMs + (at.precision.kind === 'bounded' ? at.precision.lateMs : 0);
}

const describeEnd = ({ kind, by }: ExpectedEnd): string => (by === undefined ? kind : `${kind} (${by.join(' or ')})`);

/** As `severed (rst or unannounced-fin)`. */
export const describeExpectation = ({ or, notBefore, ...end }: Expectation['tcp']): string =>
  [
    [end, ...(or === undefined ? [] : [or])].map(describeEnd).join(' or '),
    ...(notBefore === undefined ? [] : ['not before the grace period ends']),
  ].join(', ');

/** The pod's end is told by the watch of pods: why that was down belongs to the reason. */
function interruption(timeline: readonly TimelineEvent[]): string {
  const reasons = timeline.flatMap((event) =>
    event.name === 'watch-interrupted' && event.payload.resource === 'pods' ? [event.payload.reason] : [],
  );
  return reasons.length === 0 ? '' : `; the watch of pods was interrupted (${[...new Set(reasons)].join('; ')})`;
}
