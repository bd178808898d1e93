import type { UnservedTcp } from './cluster.ts';
import type { Expectation, Scenario } from './scenario.ts';
import type { Trigger } from './trigger.ts';

/**
 * What a scenario's trials are held against under a data plane. A pod that withdraws readiness to drain is neither ready nor
 * serving from then on: where the data plane sends its flows elsewhere, they are lost, however well the pod drains.
 *
 * @param unservedTcp undefined where it is not known what carries Services: as by kube-proxy
 */
export function expectationUnder(
  { behavior, expects }: Pick<Scenario, 'behavior' | 'expects'>,
  { isReplaced }: Pick<Trigger, 'isReplaced'>,
  unservedTcp: UnservedTcp | undefined,
): Expectation {
  if (behavior !== 'drain' || unservedTcp?.fate !== 'sent-elsewhere') return expects;
  // no pod, no answer: an ICMP error alone ends no established connection on Linux (tcp(7), Error handling)
  if (!isReplaced) return { ...expects, tcp: { kind: 'read-timeout' } };
  // the replacement knows no such connection (RFC 9293, 3.5.2); where it is late, the client gives up before
  return { ...expects, tcp: { kind: 'severed', by: ['rst'], or: { kind: 'read-timeout' } } };
}
