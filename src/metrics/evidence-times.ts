import { podOf } from '../domain/event.ts';
import type { CommittedName, RuntimeStep } from '../domain/evidence.ts';
import type { Flow, Protocol } from '../domain/flow.ts';
import { mapMeasured, measured, notMeasured, type Measured } from '../domain/measured.ts';
import { observed } from '../domain/observed-evidence.ts';
import type { TimelinePoint } from '../domain/time.ts';
import type { MetricSample, Trial } from '../domain/trial.ts';

/** When the write behind the trial's pod's first such event after the trigger was made, in milliseconds after it. */
export function commitOf(trial: Trial, name: CommittedName): Measured<MetricSample> {
  const commits = observed(trial, 'commits');
  if (commits.status === 'not-measured') return commits;
  const received = trial.timeline
    .filter((event) => event.name === name && podOf(event) === trial.pod && event.at.tMs >= 0)
    .flatMap(({ committed }) => committed?.at ?? []);
  const unreceived = commits.value.unreceived.flatMap((commit) =>
    commit.name === name && commit.pod === trial.pod ? [commit.at] : [],
  );
  const first = [...received, ...unreceived].toSorted((a, b) => a.tMs - b.tMs).at(0);
  return first === undefined ? notMeasured(`no write that says ${name} was seen after the trigger`) : sampleOf(first);
}

/** How long word of each write about the trial's pod took to come, from the request's receipt on; at most. */
export function watchDelays(trial: Trial): Measured<readonly number[]> {
  const commits = observed(trial, 'commits');
  if (commits.status === 'not-measured') return commits;
  const delays = trial.timeline.flatMap((event) => {
    const { committed, at } = event;
    if (committed === undefined || podOf(event) !== trial.pod || at.tMs < 0) return [];
    return [at.tMs - earliestMs(committed.at)];
  });
  return delays.length === 0
    ? notMeasured('no watch told of a write about the pod after the trigger')
    : measured(delays);
}

const stepWords: Readonly<Record<RuntimeStep['step'], string>> = {
  'stop-requested': 'request to stop the container',
  'signal-sent': 'signal',
  'kill-sent': 'SIGKILL',
  exited: 'end of the process',
  'stop-answered': 'answer to the kubelet',
};

/** When the container runtime first did that to the trial's container. */
export function runtimeTime(trial: Trial, name: RuntimeStep['step']): Measured<MetricSample> {
  const runtime = observed(trial, 'runtime');
  if (runtime.status === 'not-measured') return runtime;
  const step = runtime.value.find((candidate) => candidate.step === name);
  return step === undefined
    ? notMeasured(`the container runtime’s log tells no ${stepWords[name]}`)
    : sampleOf(step.at);
}

/** When the node's rules of both protocols had ceased to lead to the pod for good. */
export function rulesChanged(trial: Trial): Measured<MetricSample> {
  const rules = observed(trial, 'rules');
  if (rules.status === 'not-measured') return rules;
  const protocols = [...new Set(rules.value.map(({ protocol }) => protocol))];
  const last = protocols.map((protocol) => rules.value.findLast((change) => change.protocol === protocol));
  const changes = last.flatMap((change) => (change === undefined || change.at.tMs < 0 ? [] : [change]));
  if (changes.length === 0) return notMeasured('the node’s rules were not seen to change after the trigger');
  const still = changes.find(({ change }) => change === 'pod-reachable');
  if (still !== undefined) return notMeasured(`the node’s rules led to the pod to the end (${still.protocol})`);
  const [latest] = changes.map(({ at }) => at).toSorted((a, b) => b.tMs - a.tMs);
  return latest === undefined ? notMeasured('no change was placed') : sampleOf(latest);
}

/** When a program first took an entry from the pod's flows of that protocol. */
export function entriesCleared(trial: Trial, protocol: Protocol): Measured<MetricSample> {
  const conntrack = observed(trial, 'conntrack');
  if (conntrack.status === 'not-measured') return conntrack;
  const cleared = conntrack.value.cleared.filter(({ protocol: of, by }) => of === protocol && by.kind === 'user-space');
  if (cleared.length === 0)
    return notMeasured(`no program took a ${protocol.toUpperCase()} entry from the pod’s flows`);
  const [first] = cleared.flatMap((group) => group.first ?? []).toSorted((a, b) => a.tMs - b.tMs);
  return first === undefined ? notMeasured('the kernel told no time of the entries') : sampleOf(first);
}

/**
 * The greatest delay from a packet on the node to the client's stamp of what it told.
 *
 * @param nothing the reason where no such packet was captured
 */
export function greatestDetection(
  trial: Trial,
  isMeant: (flow: Flow, packet: Flow['detections'][number]['packet']) => boolean,
  nothing: string,
): Measured<MetricSample> {
  const packets = observed(trial, 'packets');
  if (packets.status === 'not-measured') return packets;
  const detections = trial.flows.flatMap((flow) => flow.detections.filter(({ packet }) => isMeant(flow, packet)));
  if (detections.length === 0) return notMeasured(nothing);
  const delays = detections.map(({ packetAt, toldMs }) => toldMs - earliestMs(packetAt));
  return measured({
    value: Math.max(...delays),
    precision: detections.every(({ packetAt }) => packetAt.precision.kind === 'exact') ? 'exact' : 'bounded',
  });
}

const sampleOf = ({ tMs, precision }: TimelinePoint): Measured<MetricSample> =>
  measured({ value: tMs, precision: precision.kind });

const earliestMs = ({ tMs, precision }: TimelinePoint): number =>
  tMs - (precision.kind === 'bounded' ? precision.earlyMs : 0);

/** The delays as one sample: each is at most that. */
export const asUpperBound = (
  delays: Measured<readonly number[]>,
  pick: (all: readonly number[]) => number,
): Measured<MetricSample> => mapMeasured(delays, (all) => ({ value: pick(all), precision: 'upper-bound' }));
