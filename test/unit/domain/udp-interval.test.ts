import fc from 'fast-check';
import { expect, test } from 'vitest';
import { udpIntervalFor, udpSilenceFor } from '../../../src/domain/udp-interval.ts';

const heldPerSecond = 10_000;
const flows = fc.integer({ min: 0, max: 5_000 });
const interval = fc.integer({ min: 1, max: 1_000 });
const lanes = fc.integer({ min: 1, max: 20 });

test('few flows send as often as was asked', () => {
  expect(udpIntervalFor(10, 20)).toBe(20);
  expect(udpIntervalFor(10, 1)).toBe(1);
  expect(udpIntervalFor(0, 5)).toBe(5);
});

test('the interval is never shorter than asked, and longer only where the rate would be too high', () => {
  fc.assert(
    fc.property(flows, interval, lanes, (count, askedMs, lanesAtOnce) => {
      const givenMs = udpIntervalFor(count, askedMs, lanesAtOnce);
      const perSecond = (ms: number) => (count * lanesAtOnce * 1_000) / ms;
      expect(givenMs).toBeGreaterThanOrEqual(askedMs);
      if (givenMs === askedMs) return;
      expect(perSecond(givenMs)).toBeLessThanOrEqual(heldPerSecond);
      expect(perSecond(givenMs - 1)).toBeGreaterThan(heldPerSecond);
    }),
  );
});

test('several unanswered pings make a silence, at every interval', () => {
  fc.assert(
    fc.property(interval, (ms) => {
      expect(udpSilenceFor(ms) / ms).toBeGreaterThanOrEqual(10);
    }),
  );
  expect(udpSilenceFor(20)).toBe(1_000);
});
