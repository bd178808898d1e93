import type { AttemptOutcome, ConnectionPath } from './new-connections.ts';

/** What a reader calls a path. */
export const pathWords: Readonly<Record<ConnectionPath, string>> = {
  'host-node': 'host → node',
  'same-node-pod': 'pod, same node',
  'cross-node-pod': 'pod, other node',
  'host-load-balancer': 'host → load balancer',
};

/** What a reader calls the way in which an attempt went. */
export const attemptWords: Readonly<Record<AttemptOutcome, string>> = {
  answered: 'answered',
  refused: 'refused',
  reset: 'reset',
  closed: 'closed',
  'timed-out': 'timed out',
  unreachable: 'unreachable',
  'other-error': 'other error',
};
