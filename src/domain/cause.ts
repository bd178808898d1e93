import { endPacket, type FlowTraces, packetKindOf, replacement } from './detection.ts';
import type { Moment, PacketSender, PacketSighting } from './evidence.ts';
import type { Flow, FlowOutcome } from './flow.ts';
import type { Cause, CauseEvidence, Disagreement, FlowCause } from './flow-cause.ts';
import { type Measured, valueOf } from './measured.ts';

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
    case 'unannounced-fin':
    case 'icmp-unreachable':
      return byPacket(outcome, traces);
    case 'write-error':
      return byReset(traces);
    case 'rehomed':
      return byRehoming(flow, traces);
    case 'silence':
      return blackHole(traces);
    default:
      return outcome.by satisfies never;
  }
}

const unknown = (evidence: readonly CauseEvidence[] = [], disagreements: readonly Disagreement[] = []): FlowCause => ({
  cause: 'unknown',
  evidence,
  disagreements,
});

function byPacket(outcome: Severed, traces: FlowTraces): FlowCause {
  const kind = packetKindOf(outcome);
  if (kind === undefined || traces.packets.status === 'not-measured') return unknown();
  const packet = endPacket(outcome, traces);
  if (packet === undefined) return unknown(entryAt(traces.toldMs, traces), [{ kind: 'no-such-packet', packet: kind }]);
  const packetMs = traces.place(packet.at.earliestNs);
  const { toldMs } = traces;
  return {
    ...bySender(packet, traces),
    disagreements: toldMs !== null && toldMs < packetMs ? [{ kind: 'told-before-packet', toldMs, packetMs }] : [],
  };
}

/** What a write meets after the peer's reset: the packet may have come long before the error. */
function byReset(traces: FlowTraces): FlowCause {
  const reset = valueOf(traces.packets)?.find(({ kind, direction }) => kind === 'rst' && direction === 'to-client');
  return reset === undefined ? unknown() : bySender(reset, traces);
}

function bySender({ kind, sender, at }: PacketSighting, traces: FlowTraces): FlowCause {
  if (sender === null) return unknown();
  const { killed, place } = traces;
  const entry = entryAt(place(at.earliestNs), traces);
  // a rule that refuses is asked about the first packet of a flow only: where the entry lives, nobody was found there
  const isUnfound =
    sender === 'node' && kind === 'icmp-unreachable' && entry.some((seen) => seen.kind === 'entry-alive');
  return {
    cause: isUnfound ? 'stale-entry-black-hole' : causeBySender(sender, killed),
    evidence: [
      { kind: 'packet', packet: kind, sender, tMs: place(at.latestNs) },
      ...(killed && sender === 'pod' ? [{ kind: 'container-killed' } as const] : []),
      ...entry,
    ],
    disagreements: [],
  };
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

/** What had become of the flow's way to the pod by then; null: by the end of observation. */
function entryAt(tMs: number | null, { entries, podAddress, place }: FlowTraces): readonly CauseEvidence[] {
  const entry = valueOf(entries)?.findLast(({ backend }) => backend.address === podAddress);
  if (entry === undefined) return [];
  const backend = entry.backend.address;
  const { destroyed } = entry;
  const destroyedAt = destroyed === null ? undefined : valueOf(destroyed.at);
  const outlived = destroyedAt !== undefined && tMs !== null && place(destroyedAt.earliestNs) > tMs;
  if (destroyed === null || outlived) return [{ kind: 'entry-alive', backend }];
  return [{ kind: 'entry-destroyed', backend, by: destroyed.by, tMs: latestMs(destroyed.at, place) }];
}

const latestMs = (moment: Measured<Moment>, place: FlowTraces['place']): number | null => {
  const when = valueOf(moment);
  return when === undefined ? null : place(when.latestNs);
};

function byRehoming({ rehomed }: Flow, traces: FlowTraces): FlowCause {
  const { place } = traces;
  const { lost, made } = replacement(traces);
  if (lost?.destroyed == null || made === undefined) return unknown();
  const evidence: readonly CauseEvidence[] = [
    {
      kind: 'entry-destroyed',
      backend: lost.backend.address,
      by: lost.destroyed.by,
      tMs: latestMs(lost.destroyed.at, place),
    },
    { kind: 'entry-created', backend: made.backend.address, tMs: latestMs(made.created, place) },
  ];
  return {
    cause: 'conntrack-cleared-rehomed',
    evidence,
    disagreements: [
      ...createdTooEarly(valueOf(made.created), valueOf(lost.destroyed.at), place),
      ...answeredTooEarly(rehomed?.at.tMs, valueOf(made.created), place),
    ],
  };
}

function createdTooEarly(
  created: Moment | undefined,
  destroyed: Moment | undefined,
  place: FlowTraces['place'],
): readonly Disagreement[] {
  if (created === undefined || destroyed === undefined || created.latestNs >= destroyed.earliestNs) return [];
  return [
    {
      kind: 'created-before-destroyed',
      createdMs: place(created.latestNs),
      destroyedMs: place(destroyed.earliestNs),
    },
  ];
}

function answeredTooEarly(
  answeredMs: number | undefined,
  created: Moment | undefined,
  place: FlowTraces['place'],
): readonly Disagreement[] {
  if (answeredMs === undefined || created === undefined) return [];
  const createdMs = place(created.earliestNs);
  return answeredMs < createdMs ? [{ kind: 'answered-before-entry', answeredMs, createdMs }] : [];
}

/** Datagrams went on to the pod. Host unreachable reaches no socket (ip(7), IP_RECVERR), so packets may tell more than silence. */
function blackHole(traces: FlowTraces): FlowCause {
  const { toldMs, place, podAddress } = traces;
  const unheard = valueOf(traces.packets)?.find(
    ({ kind, direction, at }) =>
      kind === 'icmp-unreachable' && direction === 'to-client' && (toldMs === null || place(at.latestNs) <= toldMs),
  );
  const [entry] = entryAt(toldMs, traces);
  const last = valueOf(traces.entries)?.findLast(({ created }) => {
    const made = valueOf(created);
    return made === undefined || toldMs === null || place(made.earliestNs) <= toldMs;
  });
  if (entry?.kind === 'entry-alive' && last?.backend.address === podAddress) {
    const { evidence } = unheard === undefined ? unknown() : bySender(unheard, traces);
    return {
      cause: 'stale-entry-black-hole',
      evidence: [entry, ...evidence.filter(({ kind }) => kind === 'packet')],
      disagreements: [],
    };
  }
  return unheard === undefined ? unknown() : bySender(unheard, traces);
}
