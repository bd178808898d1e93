import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowClient, FlowSpec, FlowStatus, OpenFlows } from '../domain/client.ts';
import type { Cluster } from '../domain/cluster.ts';
import type { RawEvent } from '../domain/event.ts';
import type { HostLoad } from '../domain/host-load.ts';
import { measured } from '../domain/measured.ts';
import type { NewConnectionClient } from '../domain/new-connections.ts';
import type { PreflightResult } from '../domain/preflight.ts';
import type { CriticalMoment } from '../domain/quality.ts';
import type { Conditions, Isolation, Trial, TrialPurpose } from '../domain/trial.ts';
import type { Workload } from '../domain/workload.ts';
import { clientClock, readClock } from '../timeline/client-clock.ts';
import { criticalMoments } from './critical-moments.ts';
import { areDialled, dialNewConnections } from './dial-new-connections.ts';
import { judgeTrial } from './judge-trial.ts';
import { PhaseLog } from './phase-log.ts';
import type { PlannedArm } from './plan.ts';
import { checkFlows, requirePreflight } from './preflight.ts';
import type { TrialPhase } from './progress.ts';
import { qualityOf } from './quality.ts';
import { recordEvidence, type TrialRecording } from './record-evidence.ts';

/** How long flows may take to be dialled and answered before preflight looks at them. */
const openingLimitMs = 10_000;
/** Observation ends this long after the grace period at the latest (EXPERIMENT: grace + 30 s). */
const observationMarginSeconds = 30;

/**
 * The trigger comes at a random phase of the kubelet's rounds, which last a second: its look at all containers (PLEG) and
 * the readiness probes. A pod is ready at a time that these rounds set; a trigger that followed at a fixed time would meet
 * them at the same phase in every trial, and what waits for them, as a replacement's readiness, would seem constant.
 */
const triggerPhaseMs = 1_000;
/**
 * How long it takes to fetch and read what observers kept: some programs are started for it. 437 to 575 ms were seen, one
 * trial at a time on two cores.
 */
const collection = { fromMs: 0, toMs: 700 } as const;

export interface TrialRequest {
  /** Unique in the run, as `drain.iptables-03`. */
  readonly id: string;
  /** Names the workload's namespace: unique on the cluster, 40 characters at most. */
  readonly workloadName: string;
  readonly planned: PlannedArm;
  readonly repeat: number;
  readonly purpose: TrialPurpose;
  readonly firstOnCluster: boolean;
  readonly conditions: Conditions;
  readonly isolation: Isolation;
}

export interface TrialHost {
  readonly cluster: Cluster;
  readonly flowClient: FlowClient;
  /** Absent: no new connections are dialled. */
  readonly newConnectionClient?: NewConnectionClient;
  readonly hostLoad: Pick<HostLoad, 'over'>;
  /** Uniform in [0, 1), as `Math.random`: the phase of a trigger. */
  readonly random: () => number;
  readonly onPhase: (phase: TrialPhase, seconds: number | null) => void;
  /**
   * Chooses when the trigger is due, or other work that must not meet other trials' moments, on the clock of
   * `performance.now()`: at `earliestMs` or later.
   */
  readonly bookTrigger: (
    moments: readonly Pick<CriticalMoment, 'fromMs' | 'toMs'>[],
    earliestMs: number,
  ) => Promise<number>;
  /** Called with the judged trial, and with what was captured of it, before anything is removed. */
  readonly onJudged: (trial: Trial, recording: Pick<TrialRecording, 'keep'>) => Promise<void>;
}

/** A trial whose workload stands ready. */
export interface DeployedTrial {
  readonly request: TrialRequest;
  readonly startedAt: string;
  readonly workload: Workload;
  /** What was observed so far, and will be. */
  readonly events: RawEvent[];
  readonly phases: PhaseLog;
}

/** @throws {ActionableError} when the workload does not become ready; the abort reason when `signal` aborts. */
export async function deployTrial(
  request: TrialRequest,
  { cluster, onPhase }: Pick<TrialHost, 'cluster' | 'onPhase'>,
  signal: AbortSignal,
): Promise<DeployedTrial> {
  const { planned, conditions } = request;
  const startedAt = new Date().toISOString();
  const events: RawEvent[] = [];
  const phases = new PhaseLog();
  phases.begin('deploying');
  onPhase('deploying', null);
  const spec = {
    name: request.workloadName,
    behavior: planned.scenario.behavior,
    gracePeriodSeconds: conditions.gracePeriodSeconds,
    drainSeconds: conditions.drainSeconds,
    dialled: areDialled(conditions),
  };
  const workload = await cluster.deploy(spec, (event) => void events.push(event), signal);
  phases.end();
  return { request, startedAt, workload, events, phases };
}

/**
 * One trial on its workload: open flows, preflight, settle, trigger, observe, judge. The workload stays.
 *
 * @throws {ActionableError} of kind `preflight` or `harness`; the abort reason when `signal` aborts.
 */
export async function runTrial(deployed: DeployedTrial, host: TrialHost, signal: AbortSignal): Promise<void> {
  const { request, workload, events, phases } = deployed;
  const { planned, conditions } = request;
  const observe = (event: RawEvent) => void events.push(event);
  const enter = (phase: TrialPhase, seconds: number | null) => {
    phases.begin(phase);
    host.onPhase(phase, seconds);
  };

  // before there are flows, so that what they make in the data plane is seen from its beginning
  await using recording = await recordEvidence(host.cluster, workload, conditions, signal);
  enter('opening-flows', openingLimitMs / 1000);
  const flowSpec = flowSpecOf(workload, conditions);
  await using flows = await host.flowClient.open(flowSpec, signal);
  const preflight = await checkPreflight(workload, flows, flowSpec, signal);
  requirePreflight(preflight);
  await using dialling = await dialNewConnections(host.newConnectionClient, workload, conditions, signal);

  const moments = criticalMoments(planned.scenario, planned.trigger, conditions);
  const settledMs = performance.now() + conditions.settleSeconds * 1000 + host.random() * triggerPhaseMs;
  enter('settling', conditions.settleSeconds);
  const dueMs = await Promise.race([host.bookTrigger(moments, settledMs), flows.failed]);
  signal.throwIfAborted();
  await calm(dueMs - performance.now(), flows, signal);

  enter('observing', conditions.gracePeriodSeconds + observationMarginSeconds);
  const origin = await trigger(planned, workload, flows, observe, signal);
  const limitMs = (conditions.gracePeriodSeconds + observationMarginSeconds) * 1000;
  const reason = await observeEnd(workload, flows, limitMs, signal);

  enter('trailing', conditions.trailingSeconds);
  await calm(conditions.trailingSeconds * 1000, flows, signal);
  observe({
    name: 'observation-closed',
    source: 'orchestrator',
    stamp: 'at-occurrence',
    reading: readClock(),
    payload: { reason },
  });
  const newConnections = await dialling.finish();
  const client = await flows.finish();
  if (conditions.evidence) {
    enter('collecting', null);
    const collectMs = await host.bookTrigger([collection], performance.now());
    await sleep(Math.max(collectMs - performance.now(), 0), undefined, { signal });
  }
  const evidence = await recording.finish(client.flows, signal);
  phases.end();

  const unobservable = { ...host.cluster.unobservable, ...workload.unobserved };
  const observed = {
    origin,
    pod: workload.pod,
    probeClock: workload.clock,
    clientClock,
    client,
    newConnections,
    evidence,
    events,
    unobservable,
  };
  const trial: Trial = {
    id: request.id,
    arm: planned.arm,
    repeat: request.repeat,
    purpose: request.purpose,
    firstOnCluster: request.firstOnCluster,
    startedAt: deployed.startedAt,
    scenario: planned.scenario,
    conditions,
    isolation: request.isolation,
    phases: phases.spans(origin.monotonicNs),
    quality: measured(qualityOf(moments, origin.monotonicNs, client.stampDelays, host.hostLoad)),
    preflight,
    ...judgeTrial(observed),
  };
  await host.onJudged(trial, recording);
}

/** Waits while the flows live. */
const calm = async (ms: number, flows: OpenFlows, signal: AbortSignal): Promise<void> => {
  await Promise.race([sleep(Math.max(ms, 0), undefined, { signal }), flows.failed]);
};

const flowSpecOf = ({ endpoint }: Workload, conditions: Conditions): FlowSpec => ({
  endpoint,
  ...conditions.flows,
  tcpHeartbeatMs: conditions.tcpHeartbeatMs,
  udpIntervalMs: conditions.udpIntervalMs,
  tcpReadTimeoutMs: conditions.tcpReadTimeoutMs,
  udpSilenceMs: conditions.udpSilenceMs,
});

async function checkPreflight(
  workload: Workload,
  flows: OpenFlows,
  spec: FlowSpec,
  signal: AbortSignal,
): Promise<readonly PreflightResult[]> {
  const status = await Promise.race([settledStatus(flows, spec, signal), flows.failed]);
  return [...(await workload.preflight(signal)), ...checkFlows(status, spec, workload.identity)];
}

/** The flows' status once all of them answer, or when the opening limit is over: then preflight says which do not. */
async function settledStatus(flows: OpenFlows, spec: FlowSpec, signal: AbortSignal): Promise<FlowStatus> {
  const deadline = performance.now() + openingLimitMs;
  for (;;) {
    const status = await flows.status();
    if (status.tcpEstablished === spec.tcp && status.udpReplying === spec.udp) return status;
    if (performance.now() > deadline) return status;
    await sleep(50, undefined, { signal });
  }
}

async function trigger(
  { trigger: how, scenario }: PlannedArm,
  workload: Workload,
  flows: OpenFlows,
  observe: (event: RawEvent) => void,
  signal: AbortSignal,
) {
  flows.mark();
  const issued = { trigger: scenario.trigger, pod: workload.pod };
  const origin = readClock();
  observe({ name: 'trigger-issued', source: 'orchestrator', stamp: 'at-occurrence', reading: origin, payload: issued });
  await how.fire(workload.termination, signal);
  observe({
    name: 'trigger-accepted',
    source: 'orchestrator',
    stamp: 'at-receipt',
    reading: readClock(),
    payload: { trigger: scenario.trigger },
  });
  return origin;
}

async function observeEnd(workload: Workload, flows: OpenFlows, limitMs: number, signal: AbortSignal) {
  const timer = new AbortController();
  const window = sleep(limitMs, 'window-elapsed' as const, { signal: AbortSignal.any([signal, timer.signal]) });
  try {
    const ended = Promise.all([flows.allEnded, workload.gone]).then(() => 'all-ended' as const);
    return await Promise.race([ended, window, flows.failed]);
  } finally {
    timer.abort();
  }
}
