import { expect, test } from 'vitest';
import { judgeCause, type FlowTraces } from '../../../src/domain/cause.ts';
import type { ConntrackEntry, PacketSighting } from '../../../src/domain/evidence.ts';
import type { Flow, FlowOutcome, Severance } from '../../../src/domain/flow.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';

const pod = '10.244.1.2';
const at = (tMs: number) => ({ tMs, precision: { kind: 'exact' } }) as const;
const moment = (tMs: number) => ({ earliestNs: BigInt(tMs) * 1_000_000n, latestNs: BigInt(tMs) * 1_000_000n });
const place = (clientNs: bigint) => Number(clientNs) / 1e6;

const flow = (outcome: FlowOutcome, more: Partial<Flow> = {}): Flow => ({
  id: 'flow-1',
  protocol: 'tcp',
  openedTo: 'pod-1',
  outcome,
  rehomed: null,
  sent: 2,
  answered: 1,
  lastSequence: 1,
  errorCode: null,
  ...more,
});
const severed = (by: Severance, tMs = 100, more: Partial<Flow> = {}) =>
  flow({ kind: 'severed', by, at: at(tMs) }, more);

const packet = (kind: PacketSighting['kind'], sender: PacketSighting['sender'], tMs: number): PacketSighting => ({
  kind,
  sender,
  protocol: kind === 'icmp-unreachable' ? 'udp' : 'tcp',
  clientPort: 4000,
  direction: 'to-client',
  at: moment(tMs),
});
const entry = (address: string, createdMs: number, destroyedMs: number | null): ConntrackEntry => ({
  id: `${address}-${createdMs}`,
  protocol: 'udp',
  clientPort: 4000,
  backend: { address, port: 7000 },
  answered: true,
  created: measured(moment(createdMs)),
  destroyed:
    destroyedMs === null
      ? null
      : { at: measured(moment(destroyedMs)), by: { kind: 'user-space', program: 'kube-proxy' } },
});
const traces = (more: Partial<FlowTraces>): FlowTraces => ({
  entries: measured([]),
  packets: measured([]),
  podAddress: pod,
  killed: false,
  place,
  ...more,
});
const packets = (...seen: readonly PacketSighting[]) => traces({ packets: measured(seen) });
const entries = (...seen: readonly ConntrackEntry[]) => traces({ entries: measured(seen) });

test.each([
  ['rst', 'rst', 'pod', 'pod-socket-closed'],
  ['unannounced-fin', 'fin', 'pod', 'pod-socket-closed'],
  ['icmp-unreachable', 'icmp-unreachable', 'pod', 'pod-socket-closed'],
  ['rst', 'rst', 'node', 'node-reject'],
  ['icmp-unreachable', 'icmp-unreachable', 'node', 'node-reject'],
  ['icmp-unreachable', 'icmp-unreachable', 'elsewhere', 'stale-entry-black-hole'],
] as const)('severed by %s: a %s from %s means %s, and is the evidence', (by, kind, sender, cause) => {
  expect(judgeCause(severed(by), packets(packet(kind, sender, 90)))).toEqual({
    cause,
    evidence: [{ kind: 'packet', packet: kind, sender, tMs: 90 }],
    disagreements: [],
  });
});

test('what the pod’s kernel sends for a killed container is the kill’s doing; what the node sends is not', () => {
  const killed = { killed: true };
  const fin = severed('unannounced-fin');
  expect(judgeCause(fin, { ...packets(packet('fin', 'pod', 90)), ...killed })).toMatchObject({
    cause: 'sigkill',
    evidence: [{ kind: 'packet' }, { kind: 'container-killed' }],
  });
  expect(judgeCause(severed('rst'), { ...packets(packet('rst', 'node', 90)), ...killed })?.cause).toBe('node-reject');
});

test('a re-homed flow lost its entry, and has the next one lead to another pod', () => {
  const rehomed = severed('rehomed', 80, { protocol: 'udp', rehomed: { to: 'pod-2', at: at(100) } });
  expect(judgeCause(rehomed, entries(entry(pod, 0, 90), entry('10.244.1.3', 95, null)))).toEqual({
    cause: 'conntrack-cleared-rehomed',
    evidence: [
      { kind: 'entry-destroyed', backend: pod, by: { kind: 'user-space', program: 'kube-proxy' }, tMs: 90 },
      { kind: 'entry-created', backend: '10.244.1.3', tMs: 95 },
    ],
    disagreements: [],
  });
  expect(judgeCause(rehomed, entries(entry(pod, 0, null)))?.cause).toBe('unknown');
});

test('silence over an entry that lives and leads to the pod is a black hole', () => {
  const silent = severed('silence', 80, { protocol: 'udp' });
  expect(judgeCause(silent, entries(entry(pod, 0, null)))?.cause).toBe('stale-entry-black-hole');
  expect(judgeCause(silent, entries(entry(pod, 0, 90)))?.cause).toBe('unknown');
  expect(judgeCause(silent, entries(entry('10.244.1.3', 0, null)))?.cause).toBe('unknown');
});

test('observers that contradict each other are listed, and change no cause', () => {
  expect(judgeCause(severed('rst', 80), packets(packet('rst', 'pod', 90)))).toMatchObject({
    cause: 'pod-socket-closed',
    disagreements: [{ kind: 'told-before-packet', toldMs: 80, packetMs: 90 }],
  });
  expect(judgeCause(severed('rst'), packets(packet('fin', 'pod', 90)))).toEqual({
    cause: 'unknown',
    evidence: [],
    disagreements: [{ kind: 'no-such-packet', packet: 'rst' }],
  });
  const rehomed = severed('rehomed', 80, { protocol: 'udp', rehomed: { to: 'pod-2', at: at(92) } });
  expect(judgeCause(rehomed, entries(entry(pod, 0, 90), entry('10.244.1.3', 95, null)))?.disagreements).toEqual([
    { kind: 'answered-before-entry', answeredMs: 92, createdMs: 95 },
  ]);
});

test('the end of a UDP flow comes before the packet that tells of it, and that is no contradiction', () => {
  const told = severed('icmp-unreachable', 80, { protocol: 'udp' });
  expect(judgeCause(told, packets(packet('icmp-unreachable', 'pod', 90)))?.disagreements).toEqual([]);
});

test('without evidence the cause is unknown, and nothing is said to disagree', () => {
  const blind = traces({ packets: notMeasured('no rights'), entries: notMeasured('no rights') });
  for (const by of ['rst', 'unannounced-fin', 'icmp-unreachable', 'rehomed', 'silence', 'write-error'] as const) {
    expect(judgeCause(severed(by), blind)).toEqual({ cause: 'unknown', evidence: [], disagreements: [] });
  }
});

test.each<FlowOutcome>([
  { kind: 'drained-clean-close', at: at(100) },
  { kind: 'survived-observation-window' },
  { kind: 'not-measured', reason: 'never opened' },
])('a flow that was not cut off has no cause: %j', (outcome) => {
  expect(judgeCause(flow(outcome), traces({}))).toBeNull();
});
