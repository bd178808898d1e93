import { expect, test } from 'vitest';
import {
  measureWallClock,
  narrowest,
  wallClockMoments,
  wallNsOf,
  type ClockPair,
} from '../../../src/timeline/wall-clock.ts';

/** Clocks of which each reading takes `stepNs`, with a true offset. */
function clocks(offsetNs: bigint, stepNs: bigint): ClockPair {
  let nowNs = 5_000_000_000n;
  const read = () => (nowNs += stepNs);
  return {
    monotonicNs: read,
    wallMs: () => Number((read() + offsetNs) / 1_000_000n),
  };
}

test.each([200n, 70_000n, 900_000n, 2_300_000n])(
  'the measured bounds hold the true offset where a reading takes %d ns',
  (stepNs) => {
    const trueNs = 1_795_983_399_886_549_181n;
    const { leastNs, greatestNs } = measureWallClock(clocks(trueNs, stepNs));
    expect(leastNs).toBeLessThanOrEqual(trueNs);
    expect(greatestNs).toBeGreaterThanOrEqual(trueNs);
    expect(greatestNs - leastNs).toBeLessThanOrEqual(4n * stepNs + 1_000_000n);
  },
);

test('two measurements on the clocks of this machine agree', () => {
  const [one, other] = [measureWallClock(), measureWallClock()];
  const both = narrowest(one, other);
  expect(both.greatestNs - both.leastNs).toBeLessThanOrEqual(one.greatestNs - one.leastNs);
  const aboutNs = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
  expect(Math.abs(Number(aboutNs - both.leastNs))).toBeLessThan(1e9);
});

test('a step of the wall clock between two measurements is within the bounds, and makes them as wide as itself', () => {
  const before = { leastNs: 100n, greatestNs: 110n };
  const after = { leastNs: 5_000n, greatestNs: 5_010n };
  expect(wallClockMoments(before, after)(10_000n)).toEqual({ earliestNs: 10_000n - 5_010n, latestNs: 10_000n - 100n });
});

test('without a step the bounds are those that both measurements allow', () => {
  const moments = wallClockMoments({ leastNs: 100n, greatestNs: 120n }, { leastNs: 110n, greatestNs: 140n });
  expect(moments(1_000n)).toEqual({ earliestNs: 880n, latestNs: 890n });
  expect(moments(1_000n, 2_000n)).toEqual({ earliestNs: 880n, latestNs: 1_890n });
});

test.each([
  ['2026-11-29T20:17:03.280403Z', 1795983423280403000n],
  ['2026-11-29T20:17:03.280403123Z', 1795983423280403123n],
  ['2026-11-29T20:17:03Z', 1795983423000000000n],
  ['2026-11-29T22:17:03.5+02:00', 1795983423500000000n],
])('%s is %d ns since the epoch', (time, wallNs) => {
  expect(wallNsOf(time)).toBe(wallNs);
});
