import { expect, test } from 'vitest';
import { settlementOf } from '../../../../src/flows/new-connections/attempt-error.ts';
import { AttemptLog } from '../../../../src/flows/new-connections/attempt-log.ts';
import { SourcePorts } from '../../../../src/flows/new-connections/source-ports.ts';

test('attempts stay in the order of their start, whatever the order in which they are settled, and however many', () => {
  const log = new AttemptLog();
  const numbers = Array.from({ length: 10_000 }, (_, index) => log.start(BigInt(index)));
  for (const number of numbers.slice(1).toReversed()) {
    log.settle(number, BigInt(number + 1), { outcome: 'answered', detail: `pod-${number % 3}/0000000a` });
  }
  const { startedNs, endedNs, outcome, detail, details } = log.columns();
  expect(startedNs).toEqual(BigInt64Array.from(numbers, BigInt));
  expect(endedNs[9_999]).toBe(10_000n);
  expect([outcome[0], outcome[1]]).toEqual([0, 1]);
  expect(details[(detail[7] ?? 0) - 1]).toBe('pod-1/0000000a');
  expect(details.length).toBe(3);
});

test.each([
  ['ECONNREFUSED', 'refused', null],
  ['ECONNRESET', 'reset', null],
  ['EPIPE', 'reset', null],
  ['ETIMEDOUT', 'timed-out', 'ETIMEDOUT'],
  ['EHOSTUNREACH', 'unreachable', 'EHOSTUNREACH'],
  ['ENETUNREACH', 'unreachable', 'ENETUNREACH'],
  ['EMFILE', 'other-error', 'EMFILE'],
] as const)('%s is %s', (code, outcome, detail) => {
  expect(settlementOf({ code, syscall: 'connect' })).toEqual({ outcome, detail });
});

test('a port comes again only after all others', () => {
  const ports = new SourcePorts({ first: 40_000, last: 40_004 }, () => 0.7);
  const taken = Array.from({ length: 10 }, () => ports.take());
  expect(taken.slice(0, 5)).toEqual([40_003, 40_004, 40_000, 40_001, 40_002]);
  expect(taken.slice(5)).toEqual(taken.slice(0, 5));
});
