import type { Trigger } from '../domain/trigger.ts';

export const evictTrigger: Trigger = {
  name: 'evict',
  description: 'Asks the Eviction API, as kubectl drain does.',
  requires: ['kubernetes-api'],
  isReplaced: true,
  fire: (termination, signal) => termination.evictPod(signal),
};
