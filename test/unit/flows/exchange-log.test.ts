import { expect, test } from 'vitest';
import { ExchangeLog } from '../../../src/flows/exchange-log.ts';

const identity = 'pod-a/00000001';
const second = 1_000_000_000n;
/** Sent at `atNs`, for an offset of 5 s and these delays each way. */
const exchange = (atNs: bigint, outNs: bigint, backNs: bigint) => ({
  sentNs: atNs,
  probeNs: atNs + outNs + 5n * second,
  receivedNs: atNs + outNs + backNs,
});

test('of each second the quickest way out and the quickest way back are kept, in the order of time', () => {
  const log = new ExchangeLog();
  const quickOut = exchange(0n, 10n, 900n);
  const quickBack = exchange(1_000n, 800n, 5n);
  const quickBoth = exchange(second + 2_000n, 20n, 20n);
  for (const each of [
    quickOut,
    exchange(500n, 300n, 300n),
    quickBack,
    quickBoth,
    exchange(second + 9_000n, 30n, 30n),
  ]) {
    log.add(identity, each);
  }
  expect(log.exchanges()).toEqual({ count: 5, kept: [quickOut, quickBack, quickBoth] });
});

test('an hour of exchanges is kept in bounded memory, and still covers the hour', () => {
  const log = new ExchangeLog();
  for (let at = 0n; at < 3_600n; at += 1n) log.add(identity, exchange(at * second, 50n, 50n));
  const kept = log.exchanges()?.kept ?? [];
  expect(log.exchanges()?.count).toBe(3_600);
  expect(kept.length).toBeLessThanOrEqual(1_200);
  expect(kept.length).toBeGreaterThan(200);
  expect(kept.at(-1)?.sentNs).toBeGreaterThan(3_590n * second);
});

test('without an answer there are no exchanges, and none for identities whose clocks may differ', () => {
  const log = new ExchangeLog();
  expect(log.exchanges()).toBeNull();
  log.add(identity, exchange(0n, 1n, 1n));
  log.add('pod-b/00000002', exchange(9_000n, 1n, 1n));
  expect(log.exchanges()).toBeNull();
});
