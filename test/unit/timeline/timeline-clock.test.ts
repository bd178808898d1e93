import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClockReading } from '../../../src/domain/time.ts';
import { parseTimeNamespaceOffset } from '../../../src/timeline/client-clock.ts';
import { clockDomain } from '../../../src/timeline/clock-domain.ts';
import { createTimelineClock, relateClocks } from '../../../src/timeline/timeline-clock.ts';

const client = { bootId: 'boot-a', timeNamespaceOffsetNs: 0n };
const clientDomain = clockDomain('boot-a', 0n);
const origin: ClockReading = { domain: clientDomain, monotonicNs: 5_000_000_000n };

describe('one kernel', () => {
  test('with equal offsets is one clock: a probe’s reading is placed exactly', () => {
    const probe = { bootId: 'boot-a', timeNamespaceOffsetNs: 0n };
    const relation = relateClocks(probe, client, null);
    expect(relation.evidence).toMatchObject({ relation: 'same-kernel', bootId: 'boot-a' });
    const clock = createTimelineClock(origin, probe, relation);
    expect(clock.place({ domain: clientDomain, monotonicNs: 5_040_250_000n })).toEqual({
      tMs: 40.25,
      precision: { kind: 'exact' },
    });
  });

  test('with a time-namespace offset is still exact, once the offset is taken off', () => {
    const probe = { bootId: 'boot-a', timeNamespaceOffsetNs: 3_000_000_000n };
    const clock = createTimelineClock(origin, probe, relateClocks(probe, client, null));
    const reading = { domain: clockDomain('boot-a', 3_000_000_000n), monotonicNs: 8_040_000_000n };
    expect(clock.place(reading)).toEqual({ tMs: 40, precision: { kind: 'exact' } });
  });

  test('whose offset can’t be read proves nothing', () => {
    const probe = { bootId: 'boot-a', timeNamespaceOffsetNs: null };
    expect(relateClocks(probe, client, null).evidence.relation).toBe('unrelated');
  });
});

describe('two kernels', () => {
  const probe = { bootId: 'boot-b', timeNamespaceOffsetNs: 0n };
  const domain = clockDomain('boot-b', 0n);

  test('place a reading within bounds that hold the true time, whatever the offset and the path', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.integer({ min: -10_000, max: 60_000 }),
        (offset, outNs, backNs, trueMs) => {
          // one exchange: the probe stamped outNs after the send and backNs before the receipt
          const bounds = { lowNs: offset - BigInt(backNs), highNs: offset + BigInt(outNs), exchanges: 1 };
          const clock = createTimelineClock(origin, probe, relateClocks(probe, client, bounds));
          const placed = clock.place({
            domain,
            monotonicNs: origin.monotonicNs + BigInt(trueMs) * 1_000_000n + offset,
          });
          if (placed === undefined) return false;
          const { tMs, precision } = placed;
          if (precision.kind === 'exact') return outNs === 0 && backNs === 0;
          if (precision.kind !== 'bounded') return false;
          return tMs - precision.earlyMs <= trueMs + 1e-6 && tMs + precision.lateMs >= trueMs - 1e-6;
        },
      ),
    );
  });

  test('without an exchange leave the probe’s readings off the timeline', () => {
    const clock = createTimelineClock(origin, probe, relateClocks(probe, client, null));
    expect(clock.place({ domain, monotonicNs: 1n })).toBeUndefined();
  });

  test('with contradicting exchanges are unrelated', () => {
    const evidence = relateClocks(probe, client, { lowNs: 10n, highNs: 5n, exchanges: 2 }).evidence;
    expect(evidence).toMatchObject({ relation: 'unrelated', reason: expect.stringContaining('contradict') as string });
  });
});

test.each([
  ['monotonic           0         0\nboottime            0         0\n', 0n],
  ['monotonic          -3 500000000\nboottime            0         0\n', -2_500_000_000n],
  ['boottime 0 0\n', null],
  ['', null],
])('the offset of %j is %s', (text, offset) => {
  expect(parseTimeNamespaceOffset(text)).toBe(offset);
});
