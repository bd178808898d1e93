import type { Scenario } from '../domain/scenario.ts';

export const ignore: Scenario = {
  name: 'ignore',
  referenceArm: 'C',
  label: 'ignores SIGTERM · delete',
  summary: 'The application ignores SIGTERM and is killed when the grace period ends; the pod is deleted.',
  behavior: 'ignore',
  trigger: 'delete',
  // a killed process's kernel closes its sockets: FIN, or RST where received data was left unread (RFC 2525, 2.17)
  expects: {
    tcp: { kind: 'severed', by: ['rst', 'unannounced-fin'], notBefore: 'grace-period' },
    // 128 + SIGKILL; an out-of-memory kill has the same code, but not the same time
    exitCode: 137,
  },
  requires: [],
  declares: [],
};
