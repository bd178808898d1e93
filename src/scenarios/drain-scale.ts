import type { Scenario } from '../domain/scenario.ts';

export const drainScale: Scenario = {
  name: 'drain-scale',
  referenceArm: 'E',
  label: 'drains · scale to 0',
  summary: 'The application drains as in `drain`; its Deployment is scaled to zero, so that no pod replaces it.',
  behavior: 'drain',
  trigger: 'scale',
  expects: { tcp: { kind: 'drained-clean-close' }, exitCode: 0 },
  requires: ['kubernetes-api'],
  declares: [],
};
