import { valueOf } from '../../domain/measured.ts';
import { observed } from '../../domain/observed-evidence.ts';
import type { Trial } from '../../domain/trial.ts';
import { plural } from '../format.ts';
import type { StoryLine } from './story.ts';

/** What the node's rules and its connection tracking did, and how new connections fared. */
export const dataPlaneLines = (trial: Trial): readonly StoryLine[] => [
  ...ruleLines(trial),
  ...conntrackLines(trial),
  ...newConnectionLines(trial),
];

function ruleLines(trial: Trial): readonly StoryLine[] {
  return (valueOf(observed(trial, 'rules')) ?? [])
    .filter(({ at }) => at.tMs >= 0)
    .map(({ change, protocol, at }) => ({
      at,
      what: `the node’s rules ${change === 'pod-unreachable' ? 'no longer lead' : 'lead'} to the pod (${protocol.toUpperCase()})`,
      seenBy: 'a monitor of the rules',
    }));
}

function conntrackLines(trial: Trial): readonly StoryLine[] {
  const cleared = valueOf(observed(trial, 'conntrack'))?.cleared ?? [];
  return cleared.flatMap(({ protocol, by, entries, first, last }) => {
    if (first === null) return [];
    const until =
      last === null || last.tMs - first.tMs < 0.05 ? '' : `, the last ${(last.tMs - first.tMs).toFixed(1)} ms later`;
    const who = by.kind === 'kernel' ? 'the node’s kernel' : (by.program ?? 'a program');
    const what = `${who} takes ${entries} ${protocol.toUpperCase()} conntrack ${entries === 1 ? 'entry' : 'entries'} from the pod’s flows${until}`;
    return [{ at: first, what, seenBy: 'conntrack' }];
  });
}

function newConnectionLines({ newConnections }: Trial): readonly StoryLine[] {
  return (valueOf(newConnections) ?? []).flatMap(({ path, protocol, seen }) => {
    const summary = valueOf(seen);
    if (summary?.firstFailure == null) return [];
    const window = valueOf(summary.failureWindow);
    const failed = Object.entries(summary.outcomes).reduce(
      (sum, [outcome, count]) => sum + (outcome === 'answered' ? 0 : count),
      0,
    );
    const lasting = window === undefined ? '' : `; the failures last ${window.ms.toFixed(0)} ms`;
    return [
      {
        at: summary.firstFailure,
        what: `the first new ${protocol.toUpperCase()} connection fails (${plural(failed, 'failure')} in all${lasting})`,
        seenBy: `the client, ${path}`,
      },
    ];
  });
}
