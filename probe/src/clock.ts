import { existsSync, readFileSync } from 'node:fs';
import { hasCode } from './start-failure.ts';

/** What tells a reader whether two processes read one monotonic clock. */
export interface ClockIdentity {
  /** Drawn by the kernel at each boot; null where there is no Linux `/proc`. */
  readonly bootId: string | null;
  /** Nanoseconds that this process's time namespace adds to CLOCK_MONOTONIC; null when it can't be read. */
  readonly timeNamespaceOffsetNs: string | null;
}

export const readClockIdentity = (): ClockIdentity => ({
  bootId: readBootId(),
  timeNamespaceOffsetNs: readTimeNamespaceOffset(),
});

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function readTimeNamespaceOffset(): string | null {
  try {
    return parseMonotonicOffset(readFileSync('/proc/self/timens_offsets', 'utf8'));
  } catch (error) {
    // A kernel older than 5.6 has no such file, and one clock for all; without /proc nothing is known.
    return hasCode(error, 'ENOENT') && existsSync('/proc/self/ns') ? '0' : null;
  }
}

/**
 * The monotonic offset in nanoseconds, of the form `monotonic <seconds> <nanoseconds>`; the seconds may be negative,
 * the nanoseconds are 0 … 999999999 (time_namespaces(7)). Null when the text has no such line.
 */
export function parseMonotonicOffset(text: string): string | null {
  const match = /^monotonic\s+(-?\d+)\s+(\d+)\s*$/m.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  return String(BigInt(match[1]) * 1_000_000_000n + BigInt(match[2]));
}
