import type { Trigger } from '../domain/trigger.ts';

export const scaleTrigger: Trigger = {
  name: 'scale',
  description: 'Scales the Deployment to zero.',
  requires: ['kubernetes-api'],
  isReplaced: false,
  fire: (termination, signal) => termination.scaleToZero(signal),
};
