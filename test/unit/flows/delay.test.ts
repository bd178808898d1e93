import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
  const { p50, p99, max } = lateness.summary();
  expect(p50).toBeCloseTo(50, 0);
  expect(p99).toBeCloseTo(99, 0);
  expect(max).toBeCloseTo(100, 0);
  lateness.reset();
  expect(lateness.summary()).toEqual({ p50: 0, p99: 0, max: 0 });
});
