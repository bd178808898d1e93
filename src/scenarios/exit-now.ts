import type { Scenario } from '../domain/scenario.ts';

export const exitNow: Scenario = {
  name: 'exit-now',
  referenceArm: 'A',
  label: 'exits at once · delete',
  summary: 'The application exits at once on SIGTERM; the pod is deleted.',
  behavior: 'exit-now',
  trigger: 'delete',
  expects: { tcp: { kind: 'severed', by: ['rst'] }, exitCode: 0 },
  requires: [],
  declares: [
    'The probe resets its connections on SIGTERM (SO_LINGER 0): the RST is its doing, as if data had been left unread.',
  ],
};
