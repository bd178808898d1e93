import type { FlowTraces } from './detection.ts';
import type { ConntrackEntry, PacketSender } from './evidence.ts';
import type { CauseEvidence, FlowCause } from './flow-cause.ts';
import { valueOf } from './measured.ts';
import { bySender, causeBySender, entryAt, unknown } from './packet-cause.ts';
import type { TimelinePoint } from './time.ts';

/**
 * Why a flow fell silent: datagrams went on, and nothing reached its socket. Host unreachable reaches none (ip(7),
 * IP_RECVERR), so packets may tell more than silence.
 *
 * @param endedAt when the first message left that nobody answered
 */
export function causeOfSilence(endedAt: TimelinePoint, traces: FlowTraces): FlowCause {
  const { toldMs, place, podAddress } = traces;
  const unheard = valueOf(traces.packets)?.find(
    ({ kind, direction, at }) =>
      kind === 'icmp-unreachable' && direction === 'to-client' && (toldMs === null || place(at.latestNs) <= toldMs),
  );
  const [entry] = entryAt(toldMs, traces);
  const last = valueOf(traces.entries)?.findLast((made) => createdMs(made, traces) <= (toldMs ?? Infinity));
  if (entry?.kind === 'entry-alive' && last?.backend.address === podAddress) {
    const { evidence } = unheard === undefined ? unknown() : bySender(unheard, traces);
    return {
      cause: 'stale-entry-black-hole',
      evidence: [entry, ...evidence.filter(({ kind }) => kind === 'packet')],
      disagreements: [],
    };
  }
  return unheard === undefined ? byRefusalOfOthers(endedAt, traces) : bySender(unheard, traces);
}

/** An entry whose creation has no time counts as old: it was there when something was seen of it. */
function createdMs({ created }: ConntrackEntry, { place }: FlowTraces): number {
  const made = valueOf(created);
  return made === undefined ? -Infinity : place(made.earliestNs);
}

/**
 * A kernel limits how many ICMPs it sends to one address (icmp(7), icmp_ratelimit), so that of flows which meet the same
 * refusal only the first are told. Where this one's datagrams led is known by its entry: to the pod while it lived, then
 * to the node's rules. What told others there and then that they were refused refused it too. Of the two, what it met
 * first ended it.
 */
function byRefusalOfOthers({ tMs: endedMs, precision }: TimelinePoint, traces: FlowTraces): FlowCause {
  const { toldMs, place, podAddress, killed } = traces;
  if (toldMs === null) return unknown();
  const entries = valueOf(traces.entries) ?? [];
  const toPod = entries.filter(({ backend }) => backend.address === podAddress);
  const led = toPod.find((entry) => createdMs(entry, traces) <= endedMs && endedMs <= lostMs(entry, traces));
  if (led?.destroyed == null) return unknown();
  const destroyedMs = lostMs(led, traces);
  const gone: CauseEvidence = {
    kind: 'entry-destroyed',
    backend: podAddress,
    by: led.destroyed.by,
    tMs: destroyedMs,
  };
  const refusal = (sender: PacketSender, fromMs: number, untilMs: number) =>
    traces.refusals
      .filter((packet) => packet.sender === sender)
      .map(({ at }) => place(at.latestNs))
      .find((tMs) => tMs >= fromMs && tMs <= untilMs);
  const servedMs = precision.kind === 'bounded' ? endedMs - precision.earlyMs : endedMs;
  const byPod = refusal('pod', servedMs, Math.min(destroyedMs, toldMs));
  if (byPod !== undefined) {
    return {
      cause: causeBySender('pod', killed),
      evidence: [
        { kind: 'other-flow-refused', sender: 'pod', tMs: byPod },
        ...(killed ? [{ kind: 'container-killed' } as const] : []),
        gone,
      ],
      disagreements: [],
    };
  }
  // a refused datagram leaves no entry: where one was made, the rules led somewhere
  const isMadeAgain = entries.some((entry) => {
    const made = createdMs(entry, traces);
    return made > destroyedMs && made <= toldMs;
  });
  const byNode = isMadeAgain ? undefined : refusal('node', destroyedMs, toldMs);
  if (byNode === undefined) return unknown([gone]);
  return {
    cause: 'node-reject',
    evidence: [{ kind: 'other-flow-refused', sender: 'node', tMs: byNode }, gone],
    disagreements: [],
  };
}

/** When an entry was destroyed, at the earliest; of one whose destruction has no time nothing is known after its making. */
function lostMs(entry: ConntrackEntry, traces: FlowTraces): number {
  if (entry.destroyed === null) return Infinity;
  const at = valueOf(entry.destroyed.at);
  return at === undefined ? createdMs(entry, traces) : traces.place(at.earliestNs);
}
