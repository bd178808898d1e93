import type { Scenario } from '../domain/scenario.ts';

export const drain: Scenario = {
  name: 'drain',
  referenceArm: 'B',
  label: 'drains · delete',
  summary:
    'The application withdraws readiness, serves on until 5 s before the grace period ends, then closes; the pod is deleted.',
  behavior: 'drain',
  trigger: 'delete',
  expects: { tcp: { kind: 'drained-clean-close' }, exitCode: 0 },
  requires: [],
  declares: [],
};
