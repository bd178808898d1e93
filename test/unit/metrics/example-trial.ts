import type { EventName, EventPayloads, EventSource, TimelineEvent } from '../../../src/domain/event.ts';
import type { Flow, FlowOutcome, Protocol } from '../../../src/domain/flow.ts';
import { judgeNewConnections } from '../../../src/domain/judge-new-connections.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { NewConnectionSeries } from '../../../src/domain/new-connections.ts';
import type { Scenario } from '../../../src/domain/scenario.ts';
import type { Precision, TimelinePoint } from '../../../src/domain/time.ts';
import type { Trial } from '../../../src/domain/trial.ts';
import { exampleEvidence, rehomedTraces, toldBy, written } from '../../fixtures/trial-evidence.ts';
import { answered, columnsOf, every10Ms, failed, placeAttempt } from '../../fixtures/attempts.ts';

export const pod = 'probe-7c9d-old';
export const successor = 'probe-7c9d-new';

export const exact = (tMs: number): TimelinePoint => ({ tMs, precision: { kind: 'exact' } });
export const receipt = (tMs: number): TimelinePoint => ({ tMs, precision: { kind: 'upper-bound' } });
export const bounded = (tMs: number, earlyMs = 1, lateMs = 1): TimelinePoint => ({
  tMs,
  precision: { kind: 'bounded', earlyMs, lateMs },
});

const sources: Readonly<Record<Precision['kind'], EventSource>> = {
  exact: 'probe',
  bounded: 'probe',
  'upper-bound': 'kubernetes',
};

export const event = <N extends EventName>(name: N, at: TimelinePoint, payload: EventPayloads[N]): TimelineEvent =>
  ({ name, source: sources[at.precision.kind], at, payload }) as TimelineEvent;

export const flow = (protocol: Protocol, outcome: FlowOutcome, changes: Partial<Flow> = {}): Flow => ({
  id: `${protocol}-1`,
  protocol,
  openedTo: `${pod}/0a1b2c3d`,
  outcome,
  rehomed: null,
  sent: 400,
  answered: 399,
  lastSequence: 398,
  errorCode: null,
  cause: null,
  detections: [],
  ...changes,
});

export const reset = (tMs: number) => flow('tcp', { kind: 'severed', at: exact(tMs), by: 'rst' });
export const refused = (tMs: number) => flow('udp', { kind: 'severed', at: exact(tMs), by: 'icmp-unreachable' });
export const rehomed = (tMs: number) =>
  flow(
    'udp',
    { kind: 'severed', at: exact(tMs), by: 'rehomed' },
    { rehomed: { to: `${successor}/4e5f6a7b`, at: exact(tMs) }, ...rehomedTraces(tMs) },
  );

const scenario: Scenario = {
  name: 'drain',
  referenceArm: 'B',
  label: 'drains · delete',
  summary: 'Serves on, then closes.',
  behavior: 'drain',
  trigger: 'delete',
  expects: { tcp: { kind: 'drained-clean-close' }, exitCode: 0 },
  requires: [],
  declares: [],
};

/** A trial in which nothing was observed yet. */
export const emptyTrial: Trial = {
  id: 'drain.iptables-01',
  arm: { id: 'drain.iptables', scenario: 'drain', proxyMode: 'iptables', kubernetesVersion: null },
  repeat: 1,
  purpose: 'measured',
  firstOnCluster: true,
  startedAt: '2026-09-01T12:00:00.000Z',
  pod,
  scenario,
  conditions: {
    gracePeriodSeconds: 30,
    flows: { tcp: 10, udp: 10 },
    tcpHeartbeatMs: 500,
    udpIntervalMs: 20,
    newConnectionIntervalMs: 10,
    newConnectionLimitMs: 900,
    evidence: false,
    settleSeconds: 10,
    trailingSeconds: 3,
    drainSeconds: 25,
    tcpReadTimeoutMs: 5_000,
    udpSilenceMs: 1_000,
  },
  isolation: { lanes: 1, spacingMs: null },
  phases: [],
  quality: measured([]),
  clock: { relation: 'same-kernel', bootId: 'b7c1', probeOffsetNs: '0', clientOffsetNs: '0' },
  preflight: [{ name: 'probe-pod-ready', status: 'met', detail: 'ready' }],
  timeline: [],
  unobservable: {},
  flows: [],
  newConnections: notMeasured('not asked'),
  evidence: notMeasured('not asked'),
  container: measured({ exitCode: 0, signal: null, reason: 'Completed' }),
  client: {
    eventLoopDelayMs: { p50: 0.1, p99: 0.4, max: 1.2 },
    stampDelayMs: 1.2,
    sendLatenessMs: measured({ p50: 0.1, p99: 0.6, max: 2.5 }),
  },
};

export const trialWith = (changes: Partial<Trial>): Trial => ({ ...emptyTrial, ...changes });

/** Served by the old pod, refused for a time after ready=false, then served by the new one. */
const newOf = (protocol: Protocol): NewConnectionSeries => {
  const attempts = columnsOf([
    ...every10Ms(-20, 1_030, (atMs) => answered(atMs, `${pod}/0a1b2c3d`)),
    ...every10Ms(1_030, 2_400, (atMs) => failed(atMs)),
    ...every10Ms(2_400, 2_600, (atMs) => answered(atMs, `${successor}/4e5f6a7b`)),
  ]);
  const context = { place: placeAttempt, pod, notReadyMs: measured(24) };
  return { path: 'host-node', protocol, seen: judgeNewConnections(attempts, context) };
};

/** A drained pod whose UDP flows were taken from it early: arm B of the published run, in short. */
export const drainedTrial = trialWith({
  timeline: [
    event('trigger-issued', exact(0), { trigger: 'delete', pod }),
    written(event('endpoint-not-ready', receipt(24), { pod, serving: true, terminating: true }), 4),
    event('sigterm-received', exact(40), { pod }),
    event('endpoint-ready', receipt(1_557), { pod: successor }),
    event('close-announced', exact(25_041), { pod, connections: 2 }),
    event('probe-exiting', exact(25_045), { pod, exitCode: 0 }),
    event('container-terminated', receipt(25_289), { pod, exitCode: 0, signal: null, reason: 'Completed' }),
    written(event('endpoint-removed', receipt(25_296), { pod }), 7),
  ],
  flows: [
    flow('tcp', { kind: 'drained-clean-close', at: exact(25_041) }, toldBy('fin', 25_041, 0.5)),
    flow('tcp', { kind: 'drained-clean-close', at: exact(25_043) }, toldBy('fin', 25_043, 1.5)),
    rehomed(2_421),
    rehomed(2_417),
  ],
  newConnections: measured((['tcp', 'udp'] as const).map(newOf)),
  evidence: measured(exampleEvidence),
});
