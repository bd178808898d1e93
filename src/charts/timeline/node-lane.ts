import { valueOf } from '../../domain/measured.ts';
import { observed } from '../../domain/observed-evidence.ts';
import type { TimelinePoint } from '../../domain/time.ts';
import type { Trial } from '../../domain/trial.ts';
import type { PlacedRuntimeStep } from '../../domain/trial-evidence.ts';
import { timeText, type Lane, type Moment } from './lanes.ts';

/** What the node's rules, its connection tracking and its container runtime did, where that was observed. */
export function nodeLane(trial: Trial): Lane {
  const rules = valueOf(observed(trial, 'rules')) ?? [];
  const runtime = valueOf(observed(trial, 'runtime')) ?? [];
  const cleared = valueOf(observed(trial, 'conntrack'))?.cleared ?? [];
  const moments = [
    ...runtime.flatMap((step) => {
      const what = runtimeWords[step.step];
      return what === undefined ? [] : [moment(step.at, what)];
    }),
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

/** What the pod's own lane does not show. */
const runtimeWords: Readonly<Partial<Record<PlacedRuntimeStep['step'], string>>> = {
  'stop-requested': 'runtime asked to stop it',
  'kill-sent': 'SIGKILL sent',
  exited: 'container ended',
};

const moment = (at: TimelinePoint, what: string, last: TimelinePoint = at): Moment => ({
  at,
  untilMs: last.tMs,
  what,
  when: timeText(at.tMs),
});
