import type { Scenario } from '../domain/scenario.ts';

export const drainEvict: Scenario = {
  name: 'drain-evict',
  referenceArm: 'D',
  label: 'drains · evict',
  summary: 'The application drains as in `drain`; the pod is evicted through the Eviction API.',
  behavior: 'drain',
  trigger: 'evict',
  expects: { tcp: { kind: 'drained-clean-close' }, exitCode: 0 },
  requires: ['kubernetes-api'],
  declares: [],
};
