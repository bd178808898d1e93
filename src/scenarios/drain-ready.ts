import type { Scenario } from '../domain/scenario.ts';

export const drainReady: Scenario = {
  name: 'drain-ready',
  referenceArm: null,
  label: 'drains, stays ready · delete',
  summary:
    'The application drains as in `drain`, but its readiness probe keeps succeeding, so that the endpoint stays serving; the pod is deleted.',
  behavior: 'drain-ready',
  trigger: 'delete',
  expects: { tcp: { kind: 'drained-clean-close' }, exitCode: 0 },
  requires: [],
  declares: [],
};
