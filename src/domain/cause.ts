import type { ConntrackDestroyer, ConntrackEntry, Moment, PacketSender, PacketSighting } from './evidence.ts';
import type { Flow, FlowOutcome } from './flow.ts';
import { type Measured, valueOf } from './measured.ts';

/** Why a flow ended, as far as evidence decides. */
export type Cause =
  /** The pod's program closed the socket, or ended and left that to its kernel. */
  | 'pod-socket-closed'
  /** The pod's kernel closed the socket of a program that SIGKILL had ended. */
  | 'sigkill'
  /** The node's connection tracking lost the entry, and the next datagram made one that leads to another pod. */
  | 'conntrack-cleared-rehomed'
  /** The node itself refused. */
  | 'node-reject'
  /** The entry still led to the pod's address when nobody was there. */
  | 'stale-entry-black-hole'
  | 'unknown';

/** One thing that was seen. Times in milliseconds after the trigger, at the latest that the evidence allows. */
export type CauseEvidence =
  | {
      readonly kind: 'packet';
      readonly packet: PacketSighting['kind'];
      readonly sender: PacketSender;
      readonly tMs: number;
    }
  | {
      readonly kind: 'entry-destroyed';
      readonly backend: string;
      readonly by: ConntrackDestroyer;
      /** Null where the kernel told no time. */
      readonly tMs: number | null;
    }
  | { readonly kind: 'entry-created'; readonly backend: string; readonly tMs: number | null }
  | { readonly kind: 'entry-alive'; readonly backend: string }
  | { readonly kind: 'container-killed' };

/** Observers that contradict each other: shown, and nothing is corrected for it. */
export type Disagreement =
  /** The client told of the end before the packet left the node that brought it. */
  | { readonly kind: 'told-before-packet'; readonly toldMs: number; readonly packetMs: number }
  /** Another pod's answer came before there was an entry that led to it. */
  | { readonly kind: 'answered-before-entry'; readonly answeredMs: number; readonly createdMs: number }
  /** Packets were captured, and none of the kind that the client told of. */
  | { readonly kind: 'no-such-packet'; readonly packet: PacketSighting['kind'] };

export interface FlowCause {
  readonly cause: Cause;
  readonly evidence: readonly CauseEvidence[];
  readonly disagreements: readonly Disagreement[];
}

/** What was seen of one flow besides what the client saw. */
export interface FlowTraces {
  /** The flow's own, in the order in which they came up. */
  readonly entries: Measured<readonly ConntrackEntry[]>;
  /** The flow's own, in order of time. */
  readonly packets: Measured<readonly PacketSighting[]>;
  readonly podAddress: string;
  /** Whether SIGKILL ended the pod's container. */
  readonly killed: boolean;
  /** Milliseconds after the trigger of a reading of the client's clock. */
  readonly place: (clientNs: bigint) => number;
}

/** Names why a flow ended; null for one that did not, that the workload closed in order, or that was not measured. */
export function judgeCause(flow: Flow, traces: FlowTraces): FlowCause | null {
  const { outcome } = flow;
  switch (outcome.kind) {
    case 'drained-clean-close':
    case 'survived-observation-window':
    case 'not-measured':
      return null;
    case 'read-timeout':
      return blackHole(traces);
    case 'severed':
      return causeOfSeverance(flow, outcome, traces);
    default:
      return outcome satisfies never;
  }
}

type Severed = Extract<FlowOutcome, { kind: 'severed' }>;

function causeOfSeverance(flow: Flow, outcome: Severed, traces: FlowTraces): FlowCause {
  switch (outcome.by) {
    case 'rst':
      return byPacket(outcome, 'rst', traces);
    case 'unannounced-fin':
      return byPacket(outcome, 'fin', traces);
    case 'icmp-unreachable':
      return byPacket(outcome, 'icmp-unreachable', traces);
    case 'rehomed':
      return byRehoming(flow, traces);
    case 'silence':
      return blackHole(traces);
    case 'write-error':
      return unknown();
    default:
      return outcome.by satisfies never;
  }
}

const unknown = (evidence: readonly CauseEvidence[] = [], disagreements: readonly Disagreement[] = []): FlowCause => ({
  cause: 'unknown',
  evidence,
  disagreements,
});

function byPacket({ at }: Severed, kind: PacketSighting['kind'], traces: FlowTraces): FlowCause {
  const { place, killed } = traces;
  const packets = valueOf(traces.packets);
  if (packets === undefined) return unknown();
  const packet = packets.find((candidate) => candidate.kind === kind && candidate.direction === 'to-client');
  if (packet?.sender == null) return unknown([], [{ kind: 'no-such-packet', packet: kind }]);
  const { sender, protocol } = packet;
  const evidence: readonly CauseEvidence[] = [
    { kind: 'packet', packet: kind, sender, tMs: place(packet.at.latestNs) },
    ...(killed && sender === 'pod' ? [{ kind: 'container-killed' } as const] : []),
  ];
  const packetMs = place(packet.at.earliestNs);
  // a UDP flow's end is placed at the first unanswered datagram, which comes before what tells of it
  const early = protocol === 'tcp' && at.tMs < packetMs;
  const disagreements: readonly Disagreement[] = early
    ? [{ kind: 'told-before-packet', toldMs: at.tMs, packetMs }]
    : [];
  return { cause: causeBySender(sender, killed), evidence, disagreements };
}

function causeBySender(sender: PacketSender, killed: boolean): Cause {
  switch (sender) {
    case 'pod':
      return killed ? 'sigkill' : 'pod-socket-closed';
    case 'node':
      return 'node-reject';
    case 'elsewhere':
      // only a packet that left the node towards an address without a pod is answered from elsewhere
      return 'stale-entry-black-hole';
    case 'client':
      return 'unknown';
    default:
      return sender satisfies never;
  }
}

function byRehoming({ rehomed }: Flow, { entries, podAddress, place }: FlowTraces): FlowCause {
  const known = valueOf(entries) ?? [];
  const lost = known.findLast(({ backend, destroyed }) => backend.address === podAddress && destroyed !== null);
  const made = known.find(({ backend }) => backend.address !== podAddress);
  if (lost?.destroyed == null || made === undefined) return unknown();
  const timeOf = (moment: Measured<Moment>) => {
    const when = valueOf(moment);
    return when === undefined ? null : place(when.latestNs);
  };
  const evidence: readonly CauseEvidence[] = [
    {
      kind: 'entry-destroyed',
      backend: lost.backend.address,
      by: lost.destroyed.by,
      tMs: timeOf(lost.destroyed.at),
    },
    { kind: 'entry-created', backend: made.backend.address, tMs: timeOf(made.created) },
  ];
  const created = valueOf(made.created);
  const createdMs = created === undefined ? -Infinity : place(created.earliestNs);
  const early = rehomed !== null && rehomed.at.tMs < createdMs;
  return {
    cause: 'conntrack-cleared-rehomed',
    evidence,
    disagreements: early ? [{ kind: 'answered-before-entry', answeredMs: rehomed.at.tMs, createdMs }] : [],
  };
}

function blackHole({ entries, podAddress }: FlowTraces): FlowCause {
  const last = valueOf(entries)?.at(-1);
  if (last?.destroyed !== null || last.backend.address !== podAddress) return unknown();
  return {
    cause: 'stale-entry-black-hole',
    evidence: [{ kind: 'entry-alive', backend: podAddress }],
    disagreements: [],
  };
}
