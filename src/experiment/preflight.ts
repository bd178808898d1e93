import type { FlowSpec, FlowStatus } from '../domain/client.ts';
import { preflightError } from '../domain/errors.ts';
import { blocksTrial, type PreflightResult } from '../domain/preflight.ts';

/** The invariants that the client's flows must meet. Pure. */
export function checkFlows(status: FlowStatus, spec: FlowSpec, identity: string): readonly PreflightResult[] {
  const total = spec.tcp + spec.udp;
  const strangers = status.answeredBy.filter((name) => name !== identity);
  const because = status.firstError === null ? '' : `; first error ${status.firstError}`;
  return [
    count('flows-dialed', status.dialed, total, `dialled ${spec.endpoint.address}${because}`),
    count('tcp-flows-established', status.tcpEstablished, spec.tcp, `TCP flows answered${because}`),
    count('udp-flows-replying', status.udpReplying, spec.udp, `UDP flows answered${because}`),
    {
      name: 'one-pod-answers',
      status: status.answeredBy.length === 0 ? 'unverifiable' : strangers.length === 0 ? 'met' : 'unmet',
      detail:
        status.answeredBy.length === 0
          ? 'nothing answered'
          : strangers.length === 0
            ? `every answer came from ${identity}`
            : `answers came also from ${strangers.join(', ')}`,
    },
  ];
}

const count = (name: string, found: number, expected: number, what: string): PreflightResult => ({
  name,
  status: found === expected ? 'met' : 'unmet',
  detail: `${found} of ${expected} ${what}`,
});

/** @throws {ActionableError} of kind `preflight` that names each invariant which blocks the trial. */
export function requirePreflight(results: readonly PreflightResult[]): void {
  const blocking = results.filter(blocksTrial);
  if (blocking.length === 0) return;
  throw preflightError({
    expected: `preflight ${blocking.map(({ name }) => name).join(', ')}`,
    found: blocking.map(({ name, status, detail }) => `${name} is ${status} (${detail})`).join('; '),
    remedy: 'the trial was not started; look at the path from this machine to the workload',
  });
}
