import { describe, expect, test } from 'vitest';
import { judgeCause } from '../../../src/domain/cause.ts';
import { detectionsOf, type FlowTraces } from '../../../src/domain/detection.ts';
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
  cause: null,
  detections: [],
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
  refusals: [],
  podAddress: pod,
  killed: false,
  toldMs: 100,
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
  expect(judgeCause(silent, entries(entry(pod, 0, 130)))?.cause).toBe('stale-entry-black-hole');
  expect(judgeCause(silent, entries(entry(pod, 0, 90)))?.cause).toBe('unknown');
  expect(judgeCause(silent, entries(entry('10.244.1.3', 0, null)))?.cause).toBe('unknown');
  // what took its place after the client had given up is no part of why it did
  expect(judgeCause(silent, entries(entry(pod, 0, 130), entry('10.244.1.3', 140, null)))?.cause).toBe(
    'stale-entry-black-hole',
  );
});

test('an ICMP that the socket could not hear is evidence of silence too', () => {
  const silent = severed('silence', 80, { protocol: 'udp' });
  const unheard = packets(packet('icmp-unreachable', 'elsewhere', 95));
  const told = { kind: 'packet', packet: 'icmp-unreachable', sender: 'elsewhere', tMs: 95 };
  expect(judgeCause(silent, { ...unheard, entries: measured([entry(pod, 0, null)]) })).toMatchObject({
    cause: 'stale-entry-black-hole',
    evidence: [{ kind: 'entry-alive' }, told],
  });
  expect(judgeCause(silent, unheard)).toMatchObject({ cause: 'stale-entry-black-hole', evidence: [told] });
  expect(judgeCause(silent, { ...unheard, toldMs: 90 })?.cause).toBe('unknown');
});

describe('silence of a flow that lost its entry', () => {
  const silent = severed('silence', 80, { protocol: 'udp' });
  const refused = (sender: PacketSighting['sender'], tMs: number) => packet('icmp-unreachable', sender, tMs);
  const seen = (lost: ConntrackEntry, ...refusals: readonly PacketSighting[]) => ({ ...entries(lost), refusals });

  test('is the doing of the pod’s socket where the pod’s kernel told other flows so while the entry led there', () => {
    expect(judgeCause(silent, seen(entry(pod, 0, 90), refused('pod', 82), refused('node', 95)))).toEqual({
      cause: 'pod-socket-closed',
      evidence: [
        { kind: 'other-flow-refused', sender: 'pod', tMs: 82 },
        { kind: 'entry-destroyed', backend: pod, by: { kind: 'user-space', program: 'kube-proxy' }, tMs: 90 },
      ],
      disagreements: [],
    });
    expect(judgeCause(silent, { ...seen(entry(pod, 0, 90), refused('pod', 82)), killed: true })).toMatchObject({
      cause: 'sigkill',
      evidence: [{ kind: 'other-flow-refused' }, { kind: 'container-killed' }, { kind: 'entry-destroyed' }],
    });
  });

  test('is the node’s refusal where the node told other flows so after the entry was gone', () => {
    expect(judgeCause(silent, seen(entry(pod, 0, 90), refused('node', 95)))).toMatchObject({
      cause: 'node-reject',
      evidence: [{ kind: 'other-flow-refused', sender: 'node', tMs: 95 }, { kind: 'entry-destroyed' }],
    });
  });

  test.each([
    ['the pod refused before the flow was last served', seen(entry(pod, 0, 90), refused('pod', 70))],
    ['the pod refused others after the entry was gone', seen(entry(pod, 0, 90), refused('pod', 95))],
    ['the node refused others while the entry lived', seen(entry(pod, 0, 90), refused('node', 85))],
    ['the node refused others after the client gave up', seen(entry(pod, 0, 90), refused('node', 105))],
    ['the entry had gone before the first silent datagram', seen(entry(pod, 0, 75), refused('node', 95))],
    ['nobody was refused', seen(entry(pod, 0, 90))],
  ])('stays unknown where %s', (_, unclear) => {
    expect(judgeCause(silent, unclear)?.cause).toBe('unknown');
  });

  test('is no refusal by the node where the rules had let a new entry be made', () => {
    const remade = entries(entry(pod, 0, 90), entry('10.244.1.3', 93, 99));
    expect(judgeCause(silent, { ...remade, refusals: [refused('node', 95)] })?.cause).toBe('unknown');
  });
});

test('observers that contradict each other are listed, and change no cause', () => {
  expect(judgeCause(severed('rst', 80), { ...packets(packet('rst', 'pod', 90)), toldMs: 80 })).toMatchObject({
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
  const seen = packets(packet('icmp-unreachable', 'pod', 90));
  expect(judgeCause(told, seen)?.disagreements).toEqual([]);
  expect(judgeCause(told, { ...seen, toldMs: 85 })?.disagreements).toEqual([
    { kind: 'told-before-packet', toldMs: 85, packetMs: 90 },
  ]);
});

test('who refused is told together with what had become of the flow’s entry by then', () => {
  const told = severed('icmp-unreachable', 80, { protocol: 'udp' });
  const seen = (destroyedMs: number | null) => ({
    ...packets(packet('icmp-unreachable', 'node', 90)),
    entries: measured([entry(pod, 0, destroyedMs)]),
  });
  expect(judgeCause(told, seen(70))).toMatchObject({
    cause: 'node-reject',
    evidence: [{ kind: 'packet' }, { kind: 'entry-destroyed', tMs: 70 }],
  });
  for (const destroyedMs of [null, 95, 130]) {
    expect(judgeCause(told, seen(destroyedMs))?.evidence.at(-1)).toEqual({ kind: 'entry-alive', backend: pod });
    // kube-proxy's rules refuse new flows only, and this one had its entry
    expect(judgeCause(told, seen(destroyedMs))?.cause).toBe('stale-entry-black-hole');
  }
});

test('a write error is the doing of whose reset came before it', () => {
  expect(judgeCause(severed('write-error'), packets(packet('rst', 'pod', 90)))?.cause).toBe('pod-socket-closed');
  expect(judgeCause(severed('write-error'), packets(packet('fin', 'pod', 90)))?.cause).toBe('unknown');
});

test('an entry to another pod that came up before the old one was destroyed is a contradiction', () => {
  const rehomed = severed('rehomed', 80, { protocol: 'udp', rehomed: { to: 'pod-2', at: at(100) } });
  expect(judgeCause(rehomed, entries(entry(pod, 0, 97), entry('10.244.1.3', 95, null)))?.disagreements).toEqual([
    { kind: 'created-before-destroyed', createdMs: 95, destroyedMs: 97 },
  ]);
});

test('an entry that no answer ever came through is not what re-homed the flow, if another is', () => {
  const rehomed = severed('rehomed', 80, { protocol: 'udp', rehomed: { to: 'pod-2', at: at(100) } });
  const unanswered = { ...entry('172.18.0.3', 92, 94), answered: false };
  expect(judgeCause(rehomed, entries(entry(pod, 0, 90), unanswered, entry('10.244.1.3', 95, null)))?.evidence).toEqual(
    expect.arrayContaining([{ kind: 'entry-created', backend: '10.244.1.3', tMs: 95 }]),
  );
});

test('the first packet of the kind that the client told of detects the end, also of a flow that was closed in order', () => {
  const seen = packets(packet('fin', 'pod', 90), packet('fin', 'pod', 95));
  const drained = flow({ kind: 'drained-clean-close', at: at(100) });
  expect(detectionsOf(drained, seen)).toEqual([{ packet: 'fin', packetAt: at(90), toldMs: 100 }]);
  expect(detectionsOf(severed('rst'), seen)).toEqual([]);
});

test('the first answer through the new entry detects a re-homing; without the entry’s time nothing does', () => {
  const rehomed = severed('rehomed', 80, { protocol: 'udp', rehomed: { to: 'pod-2', at: at(100) } });
  const answers = measured([packet('answer', null, 88), packet('answer', null, 98), packet('answer', null, 99)]);
  const made = entry('10.244.1.3', 95, null);
  const seen = { ...entries(entry(pod, 0, 90), made), packets: answers };
  expect(detectionsOf(rehomed, seen)).toEqual([{ packet: 'answer', packetAt: at(98), toldMs: 100 }]);
  const untimed = { ...made, created: notMeasured('no time') };
  expect(detectionsOf(rehomed, { ...seen, entries: measured([entry(pod, 0, 90), untimed]) })).toEqual([]);
});

test('a packet is placed within the bounds of its clock', () => {
  const loose = { ...packet('rst', 'pod', 90), at: { earliestNs: 89_500_000n, latestNs: 90_000_000n } };
  expect(detectionsOf(severed('rst'), packets(loose))[0]?.packetAt).toEqual({
    tMs: 90,
    precision: { kind: 'bounded', earlyMs: 0.5, lateMs: 0 },
  });
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
