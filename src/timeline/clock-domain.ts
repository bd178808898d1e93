import type { ClockDomain } from '../domain/time.ts';
import type { ProbeClock } from '../domain/workload.ts';

/**
 * Names the clock that a Linux process reads as CLOCK_MONOTONIC. Processes of one kernel (equal `boot_id`) with equal
 * time-namespace offsets read the same clock (time_namespaces(7)). What is unknown of a clock may differ from any
 * other's: such a clock is its process's own.
 */
export function clockDomain({ identity, bootId, timeNamespaceOffsetNs: offset }: ProbeClock): ClockDomain {
  return brand(bootId === null || offset === null ? `process:${identity}` : `monotonic:${bootId}:${offset}`);
}

/** The only place that makes a ClockDomain of a string. */
const brand = (name: string) => name as ClockDomain;
