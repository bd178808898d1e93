import { expect, test } from 'vitest';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { AttemptRecord, NewConnectionClient, NewConnectionSpec } from '../../../src/domain/new-connections.ts';
import { dialNewConnections } from '../../../src/experiment/dial-new-connections.ts';
import { conditionsOf } from '../../../src/experiment/plan.ts';
import { answered, columnsOf } from '../../fixtures/attempts.ts';
import { matrixOf } from '../../fixtures/trial-report.ts';

const conditions = conditionsOf(matrixOf({ newConnectionIntervalMs: 10 }));
const endpoint = { address: '127.0.0.1', tcpPort: 1, udpPort: 2 };
const signal = new AbortController().signal;

/** A client that saw one answered attempt of each protocol that it is told to dial, but for those it is to leave out. */
function clientOf(name: string, log: string[], leaves: string | null = null): NewConnectionClient {
  return {
    open: ({ path, protocols, endpoint: { address } }: NewConnectionSpec) => {
      log.push(`${name} opens ${path} to ${address}`);
      const records = protocols
        .filter((protocol) => protocol !== leaves)
        .map((protocol): AttemptRecord => ({
          path,
          protocol,
          clock: null,
          attempts: columnsOf([answered(1, `${name}/1`)]),
        }));
      return Promise.resolve({
        finish: () => Promise.resolve(measured(records)),
        [Symbol.asyncDispose]: () => {
          log.push(`${name} ends ${path}`);
          return Promise.resolve();
        },
      });
    },
  };
}

async function dial(...[host, workload]: readonly [NewConnectionClient | undefined, object]) {
  await using dialling = await dialNewConnections(host, { endpoint, ...workload }, conditions, signal);
  const seen = await dialling.finish();
  if (seen.status === 'not-measured') return seen.reason;
  return seen.value.map(({ path, protocol, seen: { status, ...rest } }) => {
    const reason = 'reason' in rest ? rest.reason : rest.value.attempts.details.join();
    return `${path} ${protocol} ${status}: ${reason}`;
  });
}

test('each path is dialled by its own client, and one that can’t be dialled has its reason, without a client', async () => {
  const log: string[] = [];
  const found = await dial(clientOf('host', log), {
    otherPaths: [
      { path: 'same-node-pod', endpoint: measured({ ...endpoint, address: '10.0.0.1' }), client: clientOf('pod', log) },
      { path: 'cross-node-pod', endpoint: notMeasured('one node only'), client: clientOf('pod', log) },
      { path: 'host-load-balancer', endpoint: measured({ ...endpoint, address: '10.0.0.2' }) },
    ],
  });
  expect(found).toEqual([
    'host-node tcp measured: host/1',
    'host-node udp measured: host/1',
    'same-node-pod tcp measured: pod/1',
    'same-node-pod udp measured: pod/1',
    'cross-node-pod tcp not-measured: one node only',
    'cross-node-pod udp not-measured: one node only',
    'host-load-balancer tcp measured: host/1',
    'host-load-balancer udp measured: host/1',
  ]);
  expect(log.filter((line) => line.includes('opens'))).toEqual([
    'host opens host-node to 127.0.0.1',
    'pod opens same-node-pod to 10.0.0.1',
    'host opens host-load-balancer to 10.0.0.2',
  ]);
  expect(log.filter((line) => line.includes('ends'))).toHaveLength(3);
});

test('a client that tells of one protocol only leaves the other not measured', async () => {
  expect(await dial(clientOf('host', [], 'udp'), {})).toEqual([
    'host-node tcp measured: host/1',
    'host-node udp not-measured: the client told nothing of UDP',
  ]);
});

test('one that can’t be opened ends what was opened before it', async () => {
  const log: string[] = [];
  const failing: NewConnectionClient = { open: () => Promise.reject(new Error('aborted')) };
  const otherPaths = [{ path: 'same-node-pod' as const, endpoint: measured(endpoint), client: failing }];
  const opening = dialNewConnections(clientOf('host', log), { endpoint, otherPaths }, conditions, signal);
  await expect(opening).rejects.toThrow('aborted');
  expect(log).toEqual(['host opens host-node to 127.0.0.1', 'host ends host-node']);
});

test('without a client here nothing is dialled, and that is the reason', async () => {
  expect(await dial(undefined, {})).toBe('there is no client that dials');
});
