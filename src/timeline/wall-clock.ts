import type { Moment } from '../domain/evidence.ts';

/** How far CLOCK_REALTIME is ahead of CLOCK_MONOTONIC of the same kernel, in nanoseconds: between the two. */
export interface WallClockOffset {
  readonly leastNs: bigint;
  readonly greatestNs: bigint;
}

/** Both clocks read one after the other. */
export interface ClockPair {
  readonly monotonicNs: () => bigint;
  /** Whole milliseconds since the epoch, rounded down. */
  readonly wallMs: () => number;
}

const ownClocks: ClockPair = { monotonicNs: () => process.hrtime.bigint(), wallMs: () => Date.now() };

/** Each bounds the offset anew; one at which the process was kept from running bounds it badly. */
const edges = 5;
const nanosecondsPerMs = 1_000_000n;

/**
 * Measures the offset by waiting for the wall clock's millisecond to change, which it does at a whole one: the reading
 * before and the reading after bound the edge. Takes some milliseconds of busy waiting, so it has no place near the
 * moment of a measurement. A step of the clock while it measures widens the bounds.
 */
export function measureWallClock({ monotonicNs, wallMs }: ClockPair = ownClocks): WallClockOffset {
  let offset: WallClockOffset | undefined;
  for (let edge = 0; edge < edges; edge++) {
    // the edge comes after the last reading of the old millisecond, which came after `beforeNs`
    let beforeNs = monotonicNs();
    let lastNs = beforeNs;
    const startMs = wallMs();
    let nowMs = startMs;
    while (nowMs === startMs) {
      beforeNs = lastNs;
      lastNs = monotonicNs();
      nowMs = wallMs();
    }
    const afterNs = monotonicNs();
    const wallNs = BigInt(nowMs) * nanosecondsPerMs;
    const seen = { leastNs: wallNs - afterNs, greatestNs: wallNs - beforeNs };
    offset = offset === undefined ? seen : narrowest(offset, seen);
  }
  if (offset === undefined) throw new Error('no edge of the wall clock was measured');
  return offset;
}

/** What both allow; where they exclude each other a step lies between them, and either may hold. */
export function narrowest(one: WallClockOffset, other: WallClockOffset): WallClockOffset {
  const leastNs = one.leastNs > other.leastNs ? one.leastNs : other.leastNs;
  const greatestNs = one.greatestNs < other.greatestNs ? one.greatestNs : other.greatestNs;
  return leastNs <= greatestNs ? { leastNs, greatestNs } : widest(one, other);
}

const widest = (one: WallClockOffset, other: WallClockOffset): WallClockOffset => ({
  leastNs: one.leastNs < other.leastNs ? one.leastNs : other.leastNs,
  greatestNs: one.greatestNs > other.greatestNs ? one.greatestNs : other.greatestNs,
});

/**
 * Turns times of the wall clock into moments of the monotonic one, from the offsets before and after them. NTP's slewing
 * moves both clocks alike (adjtimex(2)), so the offset changes by steps alone, of which the bounds then tell.
 */
export const wallClockMoments =
  (before: WallClockOffset, after: WallClockOffset) =>
  (earliestWallNs: bigint, latestWallNs: bigint = earliestWallNs): Moment => {
    const { leastNs, greatestNs } = narrowest(before, after);
    return { earliestNs: earliestWallNs - greatestNs, latestNs: latestWallNs - leastNs };
  };

export type WallClockMoments = ReturnType<typeof wallClockMoments>;

/** Nanoseconds since the epoch of an RFC 3339 time, to its last digit. */
export function wallNsOf(time: string): bigint {
  const fraction = /\.(\d{1,9})/.exec(time)?.[1] ?? '';
  const seconds = Date.parse(time.replace(/\.\d+/, '')) / 1000;
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}
