import { pointOf } from '../domain/detection.ts';
import type { Commit, ConntrackEntry, PacketSighting, RawEvidence } from '../domain/evidence.ts';
import { groupBy } from '../domain/group-by.ts';
import { mapMeasured, type Measured, valueOf } from '../domain/measured.ts';
import type { TimelinePoint } from '../domain/time.ts';
import type {
  ClearedEntries,
  ConntrackSeen,
  PacketsSeen,
  PlacedCommit,
  TrialEvidence,
} from '../domain/trial-evidence.ts';

type Place = (clientNs: bigint) => number;

/** What of raw evidence belongs to the trial as a whole, on its timeline. */
export function placeEvidence(
  evidence: Measured<RawEvidence>,
  unreceived: readonly Commit[],
  place: Place,
): Measured<TrialEvidence> {
  return mapMeasured(evidence, ({ commits, runtime, conntrack, rules, kubeProxy, packets, costs, podAddress }) => ({
    commits: mapMeasured(commits, (all) => ({
      commits: all.length,
      unreceived: unreceived.map((commit) => placeCommit(commit, place)).filter(({ at }) => at.tMs >= 0),
    })),
    runtime: mapMeasured(runtime, (steps) => steps.map(({ at, ...step }) => ({ ...step, at: pointOf(at, place) }))),
    conntrack: mapMeasured(conntrack, (entries) => conntrackSeen(entries, podAddress, place)),
    rules: mapMeasured(rules, (changes) =>
      changes.map(({ change, protocol, seenNs }) => ({
        change,
        protocol,
        at: { tMs: place(seenNs), precision: { kind: 'upper-bound' } },
      })),
    ),
    kubeProxy,
    packets: mapMeasured(packets, countPackets),
    costs,
  }));
}

const placeCommit = ({ name, payload, by, at }: Commit, place: Place): PlacedCommit => ({
  name,
  pod: payload.pod,
  by,
  at: pointOf(at, place),
});

function conntrackSeen(entries: readonly ConntrackEntry[], podAddress: string, place: Place): ConntrackSeen {
  const cleared = entries.flatMap(({ protocol, backend, destroyed }) => {
    if (backend.address !== podAddress || destroyed === null) return [];
    const { by } = destroyed;
    if (by.kind === 'kernel' && protocol === 'tcp') return [];
    const at = valueOf(destroyed.at);
    const point = at === undefined ? null : pointOf(at, place);
    return point !== null && point.tMs < 0 ? [] : [{ protocol, by, at: point }];
  });
  const groups = groupBy(
    cleared,
    ({ protocol, by }) => `${protocol} ${by.kind} ${by.kind === 'kernel' ? '' : by.program}`,
  );
  return { entries: entries.length, cleared: [...groups.values()].flatMap(summarize) };
}

type Clearing = Pick<ClearedEntries, 'protocol' | 'by'> & { readonly at: TimelinePoint | null };

function summarize(group: readonly Clearing[]): readonly ClearedEntries[] {
  const [one] = group;
  if (one === undefined) return [];
  const times = group.flatMap(({ at }) => at ?? []).toSorted((a, b) => a.tMs - b.tMs);
  const { protocol, by } = one;
  return [{ protocol, by, entries: group.length, first: times.at(0) ?? null, last: times.at(-1) ?? null }];
}

function countPackets(packets: readonly PacketSighting[]): PacketsSeen {
  const counts = { fin: 0, rst: 0, 'icmp-unreachable': 0, answer: 0 };
  for (const { kind } of packets) counts[kind] += 1;
  return counts;
}
