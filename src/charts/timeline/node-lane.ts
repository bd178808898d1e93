import { valueOf } from '../../domain/measured.ts';
import type { TimelinePoint } from '../../domain/time.ts';
import type { Trial } from '../../domain/trial.ts';
import { timeText, type Lane, type Moment } from './lanes.ts';

/** What the node's rules and its connection tracking did, where that was observed. */
export function nodeLane({ evidence }: Trial): Lane {
  const seen = valueOf(evidence);
  const rules = (seen && valueOf(seen.rules)) ?? [];
  const cleared = (seen && valueOf(seen.conntrack))?.cleared ?? [];
  const moments = [
    ...rules.map(({ change, protocol, at }) =>
      moment(at, `rules lead ${change === 'pod-unreachable' ? 'away' : 'to the pod'}, ${protocol.toUpperCase()}`),
    ),
    ...cleared.flatMap(({ protocol, by, entries, first, last }) =>
      first === null
        ? []
        : [
            moment(
              first,
              `${entries} ${protocol.toUpperCase()} entries ${by.kind === 'kernel' ? 'dropped' : 'cleared'}`,
              last ?? first,
            ),
          ],
    ),
  ];
  const inTime = moments.filter(({ at }) => at.tMs >= 0).toSorted((a, b) => a.at.tMs - b.at.tMs);
  return { name: 'node', role: 'cluster', flows: [], moments: inTime };
}

const moment = (at: TimelinePoint, what: string, last: TimelinePoint = at): Moment => ({
  at,
  untilMs: last.tMs,
  what,
  when: timeText(at.tMs),
});
