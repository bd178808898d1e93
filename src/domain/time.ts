/**
 * Identifies one monotonic clock: readings of the same domain subtract exactly. For a process on Linux it is the
 * kernel's `boot_id` with the process's time-namespace offset of CLOCK_MONOTONIC; where either is unknown, it is the
 * process's own.
 */
export type ClockDomain = string & { readonly __brand: 'ClockDomain' };

/** A raw reading. Only a TimelineClock may turn it into a time. */
export interface ClockReading {
  readonly domain: ClockDomain;
  readonly monotonicNs: bigint;
}

/**
 * How far a placed time can be trusted. `exact`: stamped where it happened, on the origin's clock. `upper-bound`:
 * stamped at receipt, so it happened no later. `bounded`: it happened within [tMs - earlyMs, tMs + lateMs].
 */
export type Precision =
  | { readonly kind: 'exact' }
  | { readonly kind: 'upper-bound' }
  | { readonly kind: 'bounded'; readonly earlyMs: number; readonly lateMs: number };

/** A time on the trial's timeline, in milliseconds after the trigger. */
export interface TimelinePoint {
  readonly tMs: number;
  readonly precision: Precision;
}

/** Places readings on the timeline whose zero is the trigger. */
export interface TimelineClock {
  readonly origin: ClockReading;
  /** Undefined when the reading's domain was never related to the origin's. */
  place(reading: ClockReading): TimelinePoint | undefined;
}
