import type { Trigger } from '../domain/trigger.ts';

export const deleteTrigger: Trigger = {
  name: 'delete',
  description: 'Deletes the pod with its own grace period.',
  requires: [],
  isReplaced: true,
  fire: (termination, signal) => termination.deletePod(signal),
};
