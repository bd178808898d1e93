import type { CauseCount } from './cause-count.ts';
import { printable } from './printable.ts';

/** Why flows were cut off, as it stands after how they were: `kube-proxy cleared the conntrack entry`. */
export function causeWords({ cause, by }: Pick<CauseCount, 'cause' | 'by'>): string {
  switch (cause) {
    case 'pod-socket-closed':
      return 'by the pod’s kernel, its socket was closed';
    case 'sigkill':
      return 'by the pod’s kernel, after SIGKILL';
    case 'conntrack-cleared-rehomed':
      return `${takerOf(by)} their conntrack entries`;
    case 'node-reject':
      return 'by the node itself';
    case 'stale-entry-black-hole':
      return 'their conntrack entries led to a pod that was gone';
    case 'unknown':
      return 'the evidence does not decide why';
    default:
      return cause satisfies never;
  }
}

function takerOf(by: string | null): string {
  if (by === 'kernel') return 'the node’s kernel dropped';
  return `${by === null ? 'a program' : printable(by)} cleared`;
}
