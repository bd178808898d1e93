import type { LoadOver } from '../domain/host-load.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';

/** Counters as they were at one time; null where the kernel has none. */
export interface LoadSample {
  readonly atNs: bigint;
  /** Microseconds in which some task waited for a CPU, since boot (`total` of the line `some` in /proc/pressure/cpu). */
  readonly waitedUs: number | null;
  /** Milliseconds stolen, over all CPUs, since boot. */
  readonly stolenMs: number | null;
}

/** The growth of the counters over the shortest span between two samples that holds the one asked for. */
export function loadOver(samples: readonly LoadSample[], fromNs: bigint, toNs: bigint): LoadOver {
  const first = samples.findLast(({ atNs }) => atNs <= fromNs);
  const last = samples.find(({ atNs }) => atNs >= toNs);
  if (first === undefined || last === undefined) {
    const unseen = notMeasured('the machine was not watched over the whole time');
    return { cpuPressure: unseen, stolenMs: unseen };
  }
  const spanUs = Number(last.atNs - first.atNs) / 1000;
  return {
    cpuPressure: growth(first.waitedUs, last.waitedUs, 'the kernel tells no CPU pressure', (us) =>
      spanUs === 0 ? 0 : Math.min(us / spanUs, 1),
    ),
    stolenMs: growth(first.stolenMs, last.stolenMs, 'the kernel tells no stolen time', (ms) => ms),
  };
}

function growth(
  before: number | null,
  after: number | null,
  reason: string,
  read: (growth: number) => number,
): Measured<number> {
  return before === null || after === null ? notMeasured(reason) : measured(read(Math.max(after - before, 0)));
}
