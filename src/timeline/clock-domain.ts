import type { ClockDomain } from '../domain/time.ts';

/**
 * Names the clock that a Linux process reads as CLOCK_MONOTONIC. Processes of one kernel (equal `boot_id`) with equal
 * time-namespace offsets read the same clock (time_namespaces(7)); an unknown offset may differ from any other.
 */
export function clockDomain(bootId: string, timeNamespaceOffsetNs: bigint | null): ClockDomain {
  return brand(
    `monotonic:${bootId}:${timeNamespaceOffsetNs === null ? 'unknown-offset' : timeNamespaceOffsetNs.toString()}`,
  );
}

/** The only place that makes a ClockDomain of a string. */
const brand = (name: string) => name as ClockDomain;
