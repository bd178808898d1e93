import type { Measured } from './measured.ts';

/** What a machine did in a span of time. */
export interface LoadOver {
  /** Share of the time, 0 to 1, in which some task waited for a CPU. */
  readonly cpuPressure: Measured<number>;
  /** CPU time that a hypervisor withheld, ms over all CPUs. */
  readonly stolenMs: Measured<number>;
}

/** Watches the client's machine, from when it is opened until it is disposed. */
export interface HostLoad extends Disposable {
  /** Monotonic nanoseconds of the client. A span that lies before or after the watch is not measured. */
  over(fromNs: bigint, toNs: bigint): LoadOver;
}
