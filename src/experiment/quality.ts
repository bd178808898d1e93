import type { StampDelays } from '../domain/client.ts';
import type { HostLoad } from '../domain/host-load.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { CriticalMoment, MomentQuality } from '../domain/quality.ts';

/** How calm the machine was in each moment. `originNs`: the trigger, on the client's clock. */
export function qualityOf(
  moments: readonly CriticalMoment[],
  originNs: bigint,
  delays: StampDelays,
  load: Pick<HostLoad, 'over'>,
): readonly MomentQuality[] {
  return moments.map((moment) => {
    const fromNs = originNs + nsOf(moment.fromMs);
    const toNs = originNs + nsOf(moment.toMs);
    return { ...moment, eventLoopDelayMs: greatestDelay(delays, fromNs, toNs), ...load.over(fromNs, toNs) };
  });
}

const nsOf = (ms: number): bigint => BigInt(Math.round(ms * 1e6));

/** The greatest of every window that the span touches. */
function greatestDelay({ startNs, windowNs, maxMs }: StampDelays, fromNs: bigint, toNs: bigint): Measured<number> {
  const index = (atNs: bigint) => Number((atNs - startNs) / windowNs);
  const touched = maxMs.slice(Math.max(index(fromNs), 0), Math.max(index(toNs) + 1, 0));
  return touched.length === 0 ? notMeasured('the client observed none of it') : measured(Math.max(...touched));
}
