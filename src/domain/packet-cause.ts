import type { FlowTraces } from './detection.ts';
import type { Moment, PacketSender, PacketSighting } from './evidence.ts';
import type { Cause, CauseEvidence, Disagreement, FlowCause } from './flow-cause.ts';
import { type Measured, valueOf } from './measured.ts';

/** The evidence, as far as there is any, does not decide. */
export const unknown = (
  evidence: readonly CauseEvidence[] = [],
  disagreements: readonly Disagreement[] = [],
): FlowCause => ({
  cause: 'unknown',
  evidence,
  disagreements,
});

/** Whoever sent what told of the end, and what had become of the flow's entry by then, name its cause. */
export function bySender({ kind, sender, at }: PacketSighting, traces: FlowTraces): FlowCause {
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

export function causeBySender(sender: PacketSender, killed: boolean): Cause {
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
export function entryAt(tMs: number | null, { entries, podAddress, place }: FlowTraces): readonly CauseEvidence[] {
  const entry = valueOf(entries)?.findLast(({ backend }) => backend.address === podAddress);
  if (entry === undefined) return [];
  const backend = entry.backend.address;
  const { destroyed } = entry;
  const destroyedAt = destroyed === null ? undefined : valueOf(destroyed.at);
  const outlived = destroyedAt !== undefined && tMs !== null && place(destroyedAt.earliestNs) > tMs;
  if (destroyed === null || outlived) return [{ kind: 'entry-alive', backend }];
  return [{ kind: 'entry-destroyed', backend, by: destroyed.by, tMs: latestMs(destroyed.at, place) }];
}

export const latestMs = (moment: Measured<Moment>, place: FlowTraces['place']): number | null => {
  const when = valueOf(moment);
  return when === undefined ? null : place(when.latestNs);
};
