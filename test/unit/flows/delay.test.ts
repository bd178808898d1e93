import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { notMeasured, valueOf } from '../../../src/domain/measured.ts';
import { LoopDelay, SendLateness } from '../../../src/flows/delay.ts';
import { monotonicNs, nsOfMs } from '../../../src/flows/schedule.ts';

const block = (ms: number): void => {
  const untilNs = monotonicNs() + nsOfMs(ms);
  while (monotonicNs() < untilNs);
};

test('a blocked event loop shows, and a reset forgets it', async () => {
  const delay = new LoopDelay();
  await sleep(20);
  block(400);
  await sleep(20);
  const blocked = delay.summary();
  expect(blocked.max).toBeGreaterThan(300);
  expect(blocked.p50).toBeLessThan(blocked.max / 4);
  delay.reset();
  await sleep(50);
  expect(delay.summary().max).toBeLessThan(blocked.max / 2);
  delay.stop();
});

test('a stall widens the windows that it touched, and the others stay narrow', async () => {
  const delay = new LoopDelay();
  await sleep(450);
  const stalledFromNs = monotonicNs();
  block(300);
  const stalledToNs = monotonicNs();
  await sleep(450);
  const beforeNs = monotonicNs();
  delay.stop();
  const afterNs = monotonicNs();
  const { startNs, windowNs, maxMs } = delay.stampDelays();
  const windowOf = (atNs: bigint) => Number((atNs - startNs) / windowNs);
  const stalled = maxMs.slice(windowOf(stalledFromNs), windowOf(stalledToNs) + 1);
  expect(Math.min(...stalled)).toBeGreaterThanOrEqual(300);
  // the windows cover all until the stop, and nothing after it
  expect(maxMs.length).toBeGreaterThan(windowOf(beforeNs));
  expect(maxMs.length).toBeLessThanOrEqual(windowOf(afterNs) + 1);
  // another process may stall this one too, but hardly in each window
  expect(Math.min(...maxMs.slice(0, windowOf(stalledFromNs) - 1))).toBeLessThan(100);
  expect(Math.min(...maxMs.slice(windowOf(stalledToNs) + 2))).toBeLessThan(100);
});

test('a stall right after a reset is seen', async () => {
  const delay = new LoopDelay();
  await sleep(20);
  delay.reset();
  block(200);
  await sleep(20);
  delay.stop();
  expect(delay.summary().max).toBeGreaterThan(150);
});

test('a stall that nothing but the end of the observation ended is seen', () => {
  const delay = new LoopDelay();
  block(150);
  delay.stop();
  expect(Math.max(...delay.stampDelays().maxMs)).toBeGreaterThanOrEqual(150);
});

test('without a sample the delay is bounded by the time there was, never zero', () => {
  const delay = new LoopDelay();
  delay.reset();
  const { p50, max } = delay.summary();
  delay.stop();
  expect(p50).toBeGreaterThan(0);
  expect(max).toBe(p50);
});

test('lateness is summarised in milliseconds within 0.1 %, and a reset forgets it', () => {
  const lateness = new SendLateness();
  for (let ms = 1; ms <= 100; ms += 1) lateness.record(nsOfMs(ms));
  const { p50, p99, max } = valueOf(lateness.summary()) ?? {};
  expect(p50).toBeCloseTo(50, 0);
  expect(p99).toBeCloseTo(99, 0);
  expect(max).toBeCloseTo(100, 0);
  lateness.reset();
  expect(lateness.summary()).toEqual(notMeasured('nothing was sent'));
});
