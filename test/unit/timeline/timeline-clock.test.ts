import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClockExchange } from '../../../src/domain/client.ts';
import type { ClockReading, TimelinePoint } from '../../../src/domain/time.ts';
import type { ProbeClock } from '../../../src/domain/workload.ts';
import { parseTimeNamespaceOffset } from '../../../src/timeline/client-clock.ts';
import { clockDomain } from '../../../src/timeline/clock-domain.ts';
import { createTimelineClock, relateClocks } from '../../../src/timeline/timeline-clock.ts';

const client: ProbeClock = { identity: 'client/1', bootId: 'boot-a', timeNamespaceOffsetNs: 0n };
const origin: ClockReading = { domain: clockDomain(client), monotonicNs: 5_000_000_000n };
const probeOf = (changes: Partial<ProbeClock>): ProbeClock => ({ ...client, identity: 'pod/1', ...changes });

function place(probe: ProbeClock, probeNs: bigint, exchanges: readonly ClockExchange[] | null) {
  const seen = exchanges === null ? null : { count: exchanges.length, kept: exchanges };
  const relation = relateClocks(origin, probe, client, seen);
  const clock = createTimelineClock(origin, probe, relation);
  return {
    evidence: relation.evidence,
    point: clock.place({ domain: clockDomain(probe), monotonicNs: probeNs }),
  };
}

const holds = ({ tMs, precision }: TimelinePoint, trueMs: number): boolean =>
  precision.kind === 'bounded' && tMs - precision.earlyMs <= trueMs + 1e-5 && tMs + precision.lateMs >= trueMs - 1e-5;

describe('one kernel', () => {
  test('with equal offsets is one clock: a probe’s reading is placed exactly', () => {
    const { evidence, point } = place(probeOf({}), 5_040_250_000n, null);
    expect(evidence).toMatchObject({ relation: 'same-kernel', bootId: 'boot-a' });
    expect(point).toEqual({ tMs: 40.25, precision: { kind: 'exact' } });
  });

  test('with a time-namespace offset is still exact, once the offset is taken off', () => {
    const { point } = place(probeOf({ timeNamespaceOffsetNs: 3_000_000_000n }), 8_040_000_000n, null);
    expect(point).toEqual({ tMs: 40, precision: { kind: 'exact' } });
  });

  test('whose offset can’t be read proves nothing', () => {
    expect(place(probeOf({ timeNamespaceOffsetNs: null }), 1n, null).evidence.relation).toBe('unrelated');
  });
});

describe('an unknown clock', () => {
  const unknown = { bootId: null, timeNamespaceOffsetNs: null };

  test.each([
    ['without a boot_id', { bootId: null }],
    ['without a known offset', { timeNamespaceOffsetNs: null }],
  ])('%s is the process’s own, and no other process’s', (_, changes) => {
    const one = probeOf({ ...changes, identity: 'pod/1' });
    expect(clockDomain(one)).toBe(clockDomain({ ...one }));
    expect(clockDomain(one)).not.toBe(clockDomain({ ...one, identity: 'client/1' }));
  });

  test('on both sides is not taken for one clock', () => {
    const blindClient = { ...client, ...unknown };
    const blindOrigin = { domain: clockDomain(blindClient), monotonicNs: 0n };
    const probe = probeOf(unknown);
    const relation = relateClocks(blindOrigin, probe, blindClient, null);
    expect(relation.evidence.relation).toBe('unrelated');
    const clock = createTimelineClock(blindOrigin, probe, relation);
    expect(clock.place({ domain: clockDomain(probe), monotonicNs: 1n })).toBeUndefined();
  });

  test('is bounded by exchanges, as any other', () => {
    const exchange = { sentNs: origin.monotonicNs, probeNs: 70n, receivedNs: origin.monotonicNs + 2_000_000n };
    const { evidence, point } = place(probeOf(unknown), 70n, [exchange]);
    expect(evidence).toMatchObject({ relation: 'bounded', widthMs: 2, exchanges: 1 });
    expect(point).toEqual({ tMs: 1, precision: { kind: 'bounded', earlyMs: 1, lateMs: 1 } });
  });
});

describe('two kernels', () => {
  const probe = probeOf({ bootId: 'boot-b' });
  const ppm = fc.integer({ min: -500, max: 500 });
  const delayNs = fc.integer({ min: 0, max: 5_000_000 });
  /** Moments of true time, in nanoseconds after the origin: from the settling to the end of a long grace period. */
  const moment = fc.integer({ min: -15_000_000, max: 120_000_000 }).map((us) => us * 1_000);

  test('place a reading within bounds that hold the true time, however their clocks drift within the kernel’s limit', () => {
    const path = fc.record({ at: moment, outNs: delayNs, backNs: delayNs });
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        ppm,
        ppm,
        fc.array(path, { minLength: 1, maxLength: 60 }),
        moment,
        (offset, clientPpm, probePpm, paths, at) => {
          const clientNs = (trueNs: number) => origin.monotonicNs + BigInt(Math.round(trueNs * (1 + clientPpm / 1e6)));
          const probeNs = (trueNs: number) =>
            origin.monotonicNs + offset + BigInt(Math.round(trueNs * (1 + probePpm / 1e6)));
          const exchanges = paths.map(({ at: sent, outNs, backNs }) => ({
            sentNs: clientNs(sent),
            probeNs: probeNs(sent + outNs),
            receivedNs: clientNs(sent + outNs + backNs),
          }));
          const { evidence, point } = place(probe, probeNs(at), exchanges);
          expect(evidence.relation).toBe('bounded');
          return point !== undefined && holds(point, Number(clientNs(at) - origin.monotonicNs) / 1e6);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('that drift apart by 40 ms in a trial keep bounds of a millisecond where exchanges go on', () => {
    const drift = 1 + 400e-6;
    const exchanges = Array.from({ length: 100 }, (_, second) => ({
      sentNs: origin.monotonicNs + BigInt(second) * 1_000_000_000n,
      probeNs: BigInt(Math.round((second * 1e9 + 100_000) * drift)),
      receivedNs: origin.monotonicNs + BigInt(second) * 1_000_000_000n + 200_000n,
    }));
    const { evidence, point } = place(probe, BigInt(Math.round(60.5e9 * drift)), exchanges);
    expect(evidence).toMatchObject({ relation: 'bounded', exchanges: 100 });
    expect(evidence).toHaveProperty('widthMs', expect.closeTo(0.2, 2));
    expect(point?.tMs).toBeCloseTo(60_500, 0);
    expect(point?.precision).toMatchObject({ kind: 'bounded' });
    expect(point?.precision.kind === 'bounded' && point.precision.earlyMs).toBeLessThan(1);
  });

  test('know less of a time the further it is from the last exchange', () => {
    const exchange = { sentNs: origin.monotonicNs, probeNs: 0n, receivedNs: origin.monotonicNs };
    const early = (seconds: bigint) => place(probe, seconds * 1_000_000_000n, [exchange]).point?.precision;
    expect(early(0n)).toEqual({ kind: 'bounded', earlyMs: 0, lateMs: 0 });
    expect(early(10n)).toMatchObject({ earlyMs: expect.closeTo(10, 1) as number });
    expect(early(-10n)).toMatchObject({ earlyMs: expect.closeTo(10, 1) as number });
  });

  test('without an exchange leave the probe’s readings off the timeline', () => {
    expect(place(probe, 1n, null).point).toBeUndefined();
  });

  test('with exchanges that contradict each other by more than clocks drift are unrelated', () => {
    const at = (clientNs: bigint, probeNs: bigint) => ({ sentNs: clientNs, probeNs, receivedNs: clientNs + 10n });
    // 10 ms of the probe's clock in 1 s of the client's
    const { evidence, point } = place(probe, 5n, [at(0n, 0n), at(1_000_000_000n, 10_000_000n)]);
    expect(evidence).toMatchObject({ relation: 'unrelated', reason: expect.stringContaining('contradict') as string });
    expect(point).toBeUndefined();
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
