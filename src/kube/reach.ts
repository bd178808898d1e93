import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError, requirementError } from '../domain/errors.ts';
import type { Endpoint } from '../domain/workload.ts';

const reachableWithinMs = 20_000;
const attemptMs = 2000;
const betweenAttemptsMs = 100;

/**
 * Resolves once a TCP connection to the Service's address is accepted: the EndpointSlice says that the pod may be
 * reached, but a node's rules follow it by a sync period, and no watch tells when. Both protocols' rules are written by
 * the same sync.
 * @throws {ActionableError} of kind `requirement` with the last failure, when none is for 20 s
 */
export async function untilReachable({ address, tcpPort }: Endpoint, signal: AbortSignal): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(reachableWithinMs)]);
  let last: unknown;
  while (!limited.aborted) {
    try {
      await dial(address, tcpPort);
      return;
    } catch (error) {
      last = error;
    }
    await delay(betweenAttemptsMs, undefined, { signal: limited }).catch(() => undefined);
  }
  signal.throwIfAborted();
  throw requirementError(
    {
      expected: `this machine reaches the Service at ${address}, port ${tcpPort} (TCP and UDP)`,
      found: describeError(last),
      remedy: 'run where the nodes are routed to and no firewall is between, or give another node address',
    },
    last,
  );
}

const dial = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.setTimeout(attemptMs, () => {
      socket.destroy(new Error(`no answer within ${attemptMs / 1000} s`));
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
