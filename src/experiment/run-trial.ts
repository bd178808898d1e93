import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowClient, FlowSpec, FlowStatus, OpenFlows } from '../domain/client.ts';
import type { Cluster } from '../domain/cluster.ts';
import type { RawEvent } from '../domain/event.ts';
import type { PreflightResult } from '../domain/preflight.ts';
import type { Conditions, Trial, TrialPurpose } from '../domain/trial.ts';
import type { Workload } from '../domain/workload.ts';
import { clientClock, readClock } from '../timeline/client-clock.ts';
import { judgeTrial } from './judge-trial.ts';
import type { PlannedArm } from './plan.ts';
import { checkFlows, requirePreflight } from './preflight.ts';
import type { TrialPhase } from './progress.ts';

/** How long flows may take to be dialled and answered before preflight looks at them. */
const openingLimitMs = 10_000;
/** Observation ends this long after the grace period at the latest (EXPERIMENT: grace + 30 s). */
const observationMarginSeconds = 30;

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
}

export interface TrialHost {
  readonly cluster: Cluster;
  readonly flowClient: FlowClient;
  readonly onPhase: (phase: TrialPhase, seconds: number | null) => void;
  /** Called with the judged trial before anything is removed. */
  readonly onJudged: (trial: Trial) => Promise<void>;
}

/**
 * One trial: deploy, open flows, preflight, settle, trigger, observe, judge. Whatever it made is removed when it ends,
 * in whatever way.
 *
 * @throws {ActionableError} of kind `preflight` or `harness`; the abort reason when `signal` aborts.
 */
export async function runTrial(request: TrialRequest, host: TrialHost, signal: AbortSignal): Promise<void> {
  const { planned, conditions } = request;
  const startedAt = new Date().toISOString();
  const events: RawEvent[] = [];
  const observe = (event: RawEvent) => void events.push(event);

  host.onPhase('deploying', null);
  const spec = {
    name: request.workloadName,
    behavior: planned.scenario.behavior,
    gracePeriodSeconds: conditions.gracePeriodSeconds,
    drainSeconds: conditions.drainSeconds,
  };
  await using workload = await host.cluster.deploy(spec, observe, signal);

  host.onPhase('opening-flows', openingLimitMs / 1000);
  const flowSpec = flowSpecOf(workload, conditions);
  await using flows = await host.flowClient.open(flowSpec, signal);
  const preflight = await checkPreflight(workload, flows, flowSpec, signal);
  requirePreflight(preflight);

  host.onPhase('settling', conditions.settleSeconds);
  await Promise.race([sleep(conditions.settleSeconds * 1000, undefined, { signal }), flows.failed]);

  host.onPhase('observing', conditions.gracePeriodSeconds + observationMarginSeconds);
  const origin = await trigger(planned, workload, flows, observe, signal);
  const limitMs = (conditions.gracePeriodSeconds + observationMarginSeconds) * 1000;
  const reason = await observeEnd(workload, flows, limitMs, signal);

  host.onPhase('trailing', conditions.trailingSeconds);
  await Promise.race([sleep(conditions.trailingSeconds * 1000, undefined, { signal }), flows.failed]);
  observe({
    name: 'observation-closed',
    source: 'orchestrator',
    stamp: 'at-occurrence',
    reading: readClock(),
    payload: { reason },
  });
  const client = await flows.finish();

  const unobservable = { ...host.cluster.unobservable, ...workload.unobserved };
  const observed = { origin, pod: workload.pod, probeClock: workload.clock, clientClock, client, events, unobservable };
  await host.onJudged({
    id: request.id,
    arm: planned.arm,
    repeat: request.repeat,
    purpose: request.purpose,
    firstOnCluster: request.firstOnCluster,
    startedAt,
    scenario: planned.scenario,
    conditions,
    preflight,
    ...judgeTrial(observed),
  });
  host.onPhase('removing', null);
}

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
