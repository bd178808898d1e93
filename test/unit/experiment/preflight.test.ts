import { describe, expect, test } from 'vitest';
import type { FlowSpec, FlowStatus } from '../../../src/domain/client.ts';
import { ActionableError } from '../../../src/domain/errors.ts';
import { checkFlows, requirePreflight } from '../../../src/experiment/preflight.ts';

const spec: FlowSpec = {
  endpoint: { address: '172.18.0.2', tcpPort: 31_000, udpPort: 31_001 },
  tcp: 10,
  udp: 4,
  tcpHeartbeatMs: 500,
  udpIntervalMs: 15,
  tcpReadTimeoutMs: 5_000,
  udpSilenceMs: 1_000,
};
const identity = 'probe-1/0a1b2c3d';
const alive: FlowStatus = {
  dialed: 14,
  tcpEstablished: 10,
  udpReplying: 4,
  answeredBy: [identity],
  firstError: null,
};
const check = (changes: Partial<FlowStatus>) => checkFlows({ ...alive, ...changes }, spec, identity);
const blocking = (changes: Partial<FlowStatus>) =>
  check(changes)
    .filter(({ status }) => status !== 'met')
    .map(({ name, status, detail }) => [name, status, detail]);

describe('flows', () => {
  test('that are all dialled, and answered by the deployed pod alone, meet every invariant', () => {
    expect(check({}).map(({ name, status }) => [name, status])).toEqual([
      ['flows-dialed', 'met'],
      ['tcp-flows-established', 'met'],
      ['udp-flows-replying', 'met'],
      ['one-pod-answers', 'met'],
    ]);
  });

  test('of which one was not answered block the trial, with how many were and the first error', () => {
    expect(blocking({ udpReplying: 3, firstError: 'ECONNREFUSED' })).toEqual([
      ['udp-flows-replying', 'unmet', '3 of 4 UDP flows answered; first error ECONNREFUSED'],
    ]);
  });

  test('more than were asked for block it too', () => {
    expect(blocking({ tcpEstablished: 11 })).toEqual([
      ['tcp-flows-established', 'unmet', '11 of 10 TCP flows answered'],
    ]);
  });

  test('that another pod answered as well block it, with its name', () => {
    expect(blocking({ answeredBy: [identity, 'probe-2/ffff'] })).toEqual([
      ['one-pod-answers', 'unmet', 'answers came also from probe-2/ffff'],
    ]);
  });

  test('that nobody answered prove nothing of who answers', () => {
    const silent = blocking({ tcpEstablished: 0, udpReplying: 0, answeredBy: [] });
    expect(silent).toContainEqual(['one-pod-answers', 'unverifiable', 'nothing answered']);
  });
});

describe('preflight', () => {
  const result = (name: string, status: 'met' | 'unmet' | 'unverifiable' | 'not-applicable') => ({
    name,
    status,
    detail: `detail of ${name}`,
  });

  test('lets a trial start whose invariants are met or do not apply', () => {
    expect(() => {
      requirePreflight([result('a', 'met'), result('b', 'not-applicable')]);
    }).not.toThrow();
  });

  test('stops it for each that is unmet or can’t be verified, and names them all', () => {
    const stop = () => {
      requirePreflight([result('a', 'met'), result('b', 'unmet'), result('c', 'unverifiable')]);
    };
    expect(stop).toThrow(ActionableError);
    expect(stop).toThrow(
      expect.objectContaining({
        kind: 'preflight',
        facts: expect.objectContaining({
          expected: 'preflight b, c',
          found: 'b is unmet (detail of b); c is unverifiable (detail of c)',
        }) as unknown,
      }) as Error,
    );
  });
});
