import { expect, test } from 'vitest';
import { SendLog } from '../../../src/flows/send-log.ts';

/** Remembers 61 pings. */
const smallLog = () => new SendLog(1_000, 1_000);

test('the wait is counted from the first ping after the last answered one, and a gap before it is no wait', () => {
  const log = smallLog();
  for (const sentNs of [10n, 20n, 30n, 40n]) log.add(sentNs);
  expect(log.firstUnansweredNs()).toBe(10n);
  log.markAnswered(1);
  expect(log.firstUnansweredNs()).toBe(30n);
  log.markAnswered(0);
  expect(log.firstUnansweredNs()).toBe(30n);
  log.markAnswered(3);
  expect(log.firstUnansweredNs()).toBeUndefined();
});

test('a ping is answered once, however many answers come', () => {
  const log = smallLog();
  log.add(10n);
  expect([log.markAnswered(0), log.markAnswered(0)]).toEqual([true, false]);
});

test('a ping that was never sent has no date and no answer', () => {
  const log = smallLog();
  log.add(10n);
  expect(log.sentNs(1)).toBeUndefined();
  expect(log.markAnswered(1)).toBe(false);
  expect(log.firstUnansweredNs()).toBe(10n);
});

test('memory is bounded: the oldest pings are forgotten, the latest minute is not', () => {
  const log = smallLog();
  for (let sequence = 0; sequence < 200; sequence += 1) log.add(BigInt(sequence));
  expect(log.sentNs(100)).toBeUndefined();
  expect(log.markAnswered(100)).toBe(false);
  expect(log.sentNs(140)).toBe(140n);
  expect(log.markAnswered(140)).toBe(true);
});
