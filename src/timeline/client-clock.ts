import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ClockReading } from '../domain/time.ts';
import { clockDomain } from './clock-domain.ts';

/** What this process can say of its own CLOCK_MONOTONIC. `process.hrtime` reads that clock on Linux (libuv, uv_hrtime). */
export interface ClientClock {
  /** Names this process among all others. */
  readonly identity: string;
  /** Null where there is no `boot_id`, as on macOS: then no other process can be shown to share the clock. */
  readonly bootId: string | null;
  readonly timeNamespaceOffsetNs: bigint | null;
}

/** Reads the `monotonic` line of `/proc/self/timens_offsets`: seconds and nanoseconds. */
export function parseTimeNamespaceOffset(text: string): bigint | null {
  const [, seconds, nanoseconds] = /^monotonic\s+(-?\d+)\s+(-?\d+)\s*$/m.exec(text) ?? [];
  return seconds === undefined || nanoseconds === undefined
    ? null
    : BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
}

function readClientClock(): ClientClock {
  const identity = `client/${randomUUID()}`;
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // a kernel without time namespaces has no offset to speak of
    if (!existsSync('/proc/self/ns/time')) return { identity, bootId, timeNamespaceOffsetNs: 0n };
    return {
      identity,
      bootId,
      timeNamespaceOffsetNs: parseTimeNamespaceOffset(readFileSync('/proc/self/timens_offsets', 'utf8')),
    };
  } catch {
    return { identity, bootId: null, timeNamespaceOffsetNs: null };
  }
}

export const clientClock: ClientClock = readClientClock();

const domain = clockDomain(clientClock);

/** Reads this process's clock: call it first, before any other work, where the time matters. */
export const readClock = (): ClockReading => ({ domain, monotonicNs: process.hrtime.bigint() });
