import { endOf, judgeFlow } from '../domain/classify.ts';
import type { ClientObservation } from '../domain/client.ts';
import { harnessError } from '../domain/errors.ts';
import { firstEvent, type RawEvent, type TimelineEvent } from '../domain/event.ts';
import type { RawEvidence } from '../domain/evidence.ts';
import type { Flow } from '../domain/flow.ts';
import { withFlowEvents } from '../domain/flow-events.ts';
import { measured, notMeasured, type Measured, valueOf } from '../domain/measured.ts';
import type { NewConnectionRecord } from '../domain/new-connections.ts';
import type { ClockReading, TimelinePoint } from '../domain/time.ts';
import type { ContainerEnd, Trial, Unobservable } from '../domain/trial.ts';
import type { ProbeClock } from '../domain/workload.ts';
import type { ClientClock } from '../timeline/client-clock.ts';
import { mergeTimeline } from '../timeline/merge.ts';
import { createTimelineClock, relateClocks } from '../timeline/timeline-clock.ts';
import { withCauses } from './judge-evidence.ts';
import { matchCommits } from './match-commits.ts';
import { placeEvidence } from './place-evidence.ts';
import { placeNewConnections } from './place-new-connections.ts';
import { greatestStampDelay, stampDelayAt } from './stamp-delay.ts';

/** Everything that was observed of one trial: raw facts on raw clocks. */
export interface Observations {
  /** Read at the moment before the trigger was sent. */
  readonly origin: ClockReading;
  readonly pod: string;
  readonly probeClock: ProbeClock;
  readonly clientClock: ClientClock;
  readonly client: ClientObservation;
  readonly newConnections: Measured<readonly NewConnectionRecord[]>;
  /** Absent: not asked for. */
  readonly evidence?: Measured<RawEvidence>;
  readonly events: readonly RawEvent[];
  readonly unobservable: Unobservable;
}

/** What judging yields: the parts of a trial that come from observations. */
export type Judgement = Pick<
  Trial,
  'pod' | 'clock' | 'timeline' | 'unobservable' | 'flows' | 'newConnections' | 'evidence' | 'container' | 'client'
>;

/**
 * Turns observations into a judged trial. Pure.
 *
 * @throws {ActionableError} of kind `harness` when a flow had ended before the trigger: its end is no effect of it.
 */
export function judgeTrial(observed: Observations): Judgement {
  const { origin, client, pod } = observed;
  const relation = relateClocks(origin, observed.probeClock, observed.clientClock, client.exchanges);
  const clock = createTimelineClock(origin, observed.probeClock, relation);
  const place = (clientNs: bigint) => Number(clientNs - origin.monotonicNs) / 1e6;
  const stampDelayMs = (clientNs: bigint) => stampDelayAt(client.stampDelays, clientNs);
  const judged = client.flows.map((record) => judgeFlow(record, { place, stampDelayMs }));
  refuseEarlyEnds(judged);

  const { evidence = notMeasured('no evidence was asked for') } = observed;
  const { events, unplaced } = mergeTimeline(observed.events, clock);
  const commits = valueOf(evidence)?.commits;
  const matched = matchCommits(events, (commits && valueOf(commits)) ?? [], place);
  const container = containerEnd(matched.timeline, pod, observed.unobservable);
  const flows = withCauses(judged, evidence, { records: client.flows, container, place });
  const timeline = withFlowEvents(matched.timeline, flows);
  const unrelated = relation.evidence.relation === 'unrelated' ? relation.evidence.reason : 'its clock is unknown';
  return {
    pod,
    clock: relation.evidence,
    timeline,
    unobservable: { ...observed.unobservable, ...Object.fromEntries(unplaced.map(({ name }) => [name, unrelated])) },
    flows,
    newConnections: placeNewConnections(observed, timeline),
    evidence: placeEvidence(evidence, matched.unreceived, place),
    container,
    client: {
      eventLoopDelayMs: client.eventLoopDelayMs,
      threadNiceness: client.threadNiceness,
      stampDelayMs: greatestStampDelay(client.stampDelays, client.flows) ?? client.eventLoopDelayMs.max,
      sendLatenessMs: client.sendLatenessMs,
      generator: client.generator,
    },
  };
}

function refuseEarlyEnds(flows: readonly Flow[]): void {
  const early = flows.filter(({ outcome }) => latestMs(endOf(outcome)) < 0);
  const [first] = early;
  if (first === undefined) return;
  throw harnessError({
    expected: 'every flow alive at the trigger',
    found: `${early.length} flows had ended before it, the first being ${first.id} (${first.outcome.kind}, ${first.errorCode ?? 'no error code'})`,
    remedy: 'look for what disturbs the path, and repeat the trial',
  });
}

/** A flow without an end did not end early. */
const latestMs = (end: TimelinePoint | undefined): number =>
  end === undefined ? Infinity : end.tMs + (end.precision.kind === 'bounded' ? end.precision.lateMs : 0);

/** A terminated state's reason (kubelet, convertToAPIContainerStatuses). */
const lostContainer = 'ContainerStatusUnknown';

function containerEnd(timeline: readonly TimelineEvent[], pod: string, blind: Unobservable): Measured<ContainerEnd> {
  const container = firstEvent(timeline, 'container-terminated', pod);
  if (container !== undefined) {
    const { exitCode, signal, reason } = container.payload;
    // the kubelet found no container any more, and wrote 137 for the exit code that it does not know
    if (reason === lostContainer) return notMeasured(`the kubelet lost sight of the container (${lostContainer})`);
    return measured({ exitCode, signal, reason });
  }
  const process = firstEvent(timeline, 'process-exited', pod);
  if (process !== undefined) return measured({ ...exitOf(process.payload), reason: null });
  return notMeasured(blind['container-terminated'] ?? 'the container was not seen to terminate');
}

const exitOf = ({ exitCode, signal }: { readonly exitCode: number; readonly signal: number | null }) => ({
  exitCode,
  signal,
});
