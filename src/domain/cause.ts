import { endPacket, type FlowTraces, packetKindOf, replacement } from './detection.ts';
import type { Moment } from './evidence.ts';
import type { Flow, FlowOutcome } from './flow.ts';
import type { CauseEvidence, Disagreement, FlowCause } from './flow-cause.ts';
import { valueOf } from './measured.ts';
import { bySender, entryAt, latestMs, unknown } from './packet-cause.ts';
import { causeOfSilence } from './silence-cause.ts';

/** Names why a flow ended; null for one that did not, that the workload closed in order, or that was not measured. */
export function judgeCause(flow: Flow, traces: FlowTraces): FlowCause | null {
  const { outcome } = flow;
  switch (outcome.kind) {
    case 'drained-clean-close':
    case 'survived-observation-window':
    case 'not-measured':
      return null;
    case 'read-timeout':
      return causeOfSilence(outcome.at, traces);
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
      return causeOfSilence(outcome.at, traces);
    default:
      return outcome.by satisfies never;
  }
}

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
