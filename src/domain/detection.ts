import type { ConntrackEntry, Moment, PacketSighting } from './evidence.ts';
import type { Flow, FlowOutcome } from './flow.ts';
import type { Detection } from './flow-cause.ts';
import { type Measured, valueOf } from './measured.ts';
import type { TimelinePoint } from './time.ts';

/** What was seen of one flow besides what the client saw. */
export interface FlowTraces {
  /** The flow's own, in the order in which they came up. */
  readonly entries: Measured<readonly ConntrackEntry[]>;
  /** The flow's own since the pod last served it, in order of time. */
  readonly packets: Measured<readonly PacketSighting[]>;
  /** ICMP unreachables to any of the trial's UDP flows, in order of time; none where packets were not captured. */
  readonly refusals: readonly PacketSighting[];
  readonly podAddress: string;
  /** Whether SIGKILL ended the pod's container. */
  readonly killed: boolean;
  /** When the client's program stamped the end that its socket told, ms after the trigger; null where it told none. */
  readonly toldMs: number | null;
  /** Milliseconds after the trigger of a reading of the client's clock. */
  readonly place: (clientNs: bigint) => number;
}

/** The packets that told the client of the flow's end, and of the pod that took it over: none that was not captured. */
export function detectionsOf(flow: Flow, traces: FlowTraces): readonly Detection[] {
  const { toldMs, place } = traces;
  const seen = [
    { packet: endPacket(flow.outcome, traces), toldMs },
    { packet: firstForeignAnswer(traces), toldMs: flow.rehomed?.at.tMs ?? null },
  ];
  return seen.flatMap(({ packet, toldMs: told }) =>
    packet === undefined || told === null
      ? []
      : [{ packet: packet.kind, packetAt: pointOf(packet.at, place), toldMs: told }],
  );
}

/** The first packet of the kind that the client told of. */
export function endPacket(outcome: FlowOutcome, { packets }: FlowTraces): PacketSighting | undefined {
  const kind = packetKindOf(outcome);
  return valueOf(packets)?.find((packet) => packet.kind === kind && packet.direction === 'to-client');
}

/** Undefined for an end that no packet tells of. */
export function packetKindOf(outcome: FlowOutcome): PacketSighting['kind'] | undefined {
  if (outcome.kind === 'drained-clean-close') return 'fin';
  if (outcome.kind !== 'severed') return undefined;
  switch (outcome.by) {
    case 'rst':
    case 'icmp-unreachable':
      return outcome.by;
    case 'unannounced-fin':
      return 'fin';
    case 'write-error':
    case 'silence':
    case 'rehomed':
      return undefined;
    default:
      return outcome.by satisfies never;
  }
}

/** The entry to the pod that was lost last, and the one to another pod that took its place. */
export function replacement({ entries, podAddress }: Pick<FlowTraces, 'entries' | 'podAddress'>) {
  const known = valueOf(entries) ?? [];
  const lostAt = known.findLastIndex(({ backend, destroyed }) => backend.address === podAddress && destroyed !== null);
  const later = known.slice(lostAt + 1).filter(({ backend }) => backend.address !== podAddress);
  return { lost: known[lostAt], made: later.find(({ answered }) => answered) ?? later.at(0) };
}

/** An entry leads to one place: what answers through the new one is not the pod's. Without its time that can't be told. */
function firstForeignAnswer(traces: FlowTraces): PacketSighting | undefined {
  const { made } = replacement(traces);
  const created = made === undefined ? undefined : valueOf(made.created);
  if (created === undefined) return undefined;
  return valueOf(traces.packets)?.find(({ kind, at }) => kind === 'answer' && at.latestNs >= created.earliestNs);
}

/** On the timeline, at the latest that it can have been. */
export function pointOf({ earliestNs, latestNs }: Moment, place: FlowTraces['place']): TimelinePoint {
  const tMs = place(latestNs);
  return earliestNs === latestNs
    ? { tMs, precision: { kind: 'exact' } }
    : { tMs, precision: { kind: 'bounded', earlyMs: tMs - place(earliestNs), lateMs: 0 } };
}
