import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../../src/domain/new-connections.ts';
import { readAttempts, readDialAnswer, writeAttempts, writeDialAnswer } from '../../../src/timeline/agent-messages.ts';
import { answered, columnsOf, failed } from '../../fixtures/attempts.ts';

const clock = { identity: 'client/1', bootId: 'boot', timeNamespaceOffsetNs: -3n };

test('attempts come back as they were written: times, outcomes and details, also of one that was in flight', () => {
  const rows = [answered(-10.5, 'pod-a/1'), failed(0.000_001), answered(7, 'pod-b/2'), { atMs: 8, outcome: null }];
  const attempts = columnsOf(rows);
  const record: AttemptRecord = { path: 'same-node-pod', protocol: 'udp', clock, attempts };
  const [read, ...others] = readAttempts(writeAttempts([record]), 'same-node-pod', clock);
  expect(others).toEqual([]);
  const inFlight = attempts.startedNs[3] ?? 0n;
  const endedNs = attempts.endedNs.with(3, inFlight);
  expect(read).toEqual({ ...record, attempts: { ...attempts, endedNs } });
});

test('a record without an attempt is one', () => {
  const record: AttemptRecord = { path: 'same-node-pod', protocol: 'tcp', clock, attempts: columnsOf([]) };
  expect(readAttempts(writeAttempts([record]), 'same-node-pod', clock)).toEqual([record]);
});

test('a clock comes back as it was told, with what is unknown of it', () => {
  for (const told of [clock, { ...clock, timeNamespaceOffsetNs: null }, { ...clock, bootId: null }]) {
    expect(readDialAnswer(writeDialAnswer(told))).toEqual(told);
  }
});

const columns = { fromNs: '0', startedNs: [0], tookNs: [1], outcome: [1], detail: [0], details: [] };
test.each([
  ['columns of different lengths', [{ protocol: 'tcp', ...columns, tookNs: [] }]],
  ['an outcome that is none', [{ protocol: 'tcp', ...columns, outcome: [99] }]],
  ['another thing', { records: [] }],
])('%s are refused, not guessed at', (_what, message) => {
  expect(() => readAttempts(JSON.stringify(message), 'same-node-pod', clock)).toThrow();
});

test('a client of a later protocol is refused', () => {
  expect(() => readDialAnswer(writeDialAnswer(clock).replace('"protocol":1', '"protocol":2'))).toThrow();
});
