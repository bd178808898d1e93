import { createHistogram, monitorEventLoopDelay, type Histogram } from 'node:perf_hooks';
import type { DelaySummary } from '../domain/client.ts';
import { monotonicNs } from './schedule.ts';

const msOfNs = (ns: number): number => ns / 1e6;
const samplingMs = 1;

function summarize(histogram: Histogram, expectedMs: number): DelaySummary {
  const beyond = (ns: number) => Math.max(0, msOfNs(ns) - expectedMs);
  return {
    p50: beyond(histogram.percentile(50)),
    p99: beyond(histogram.percentile(99)),
    max: beyond(histogram.max),
  };
}

/**
 * How long this thread's event loop kept a due callback waiting. Node samples the time between the turns of a timer of
 * 1 ms; what exceeds that period is the delay. libuv counts whole milliseconds, so an idle loop shows up to about 1 ms.
 */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: samplingMs });
  #sinceNs = monotonicNs();

  constructor() {
    this.#histogram.enable();
  }

  reset(): void {
    this.#histogram.reset();
    this.#sinceNs = monotonicNs();
  }

  summary(): DelaySummary {
    if (this.#histogram.count > 0) return summarize(this.#histogram, samplingMs);
    // no sample yet: whatever the delay was, it was not longer than all the time there was
    const bound = msOfNs(Number(monotonicNs() - this.#sinceNs));
    return { p50: bound, p99: bound, max: bound };
  }

  stop(): void {
    this.#histogram.disable();
  }
}

/** How late sends left against their slots, in bounded memory. All zero while nothing was sent: nothing was late. */
export class SendLateness {
  readonly #histogram = createHistogram({ lowest: 1, highest: 3_600_000_000_000, figures: 3 });

  record(latenessNs: bigint): void {
    this.#histogram.record(latenessNs < 1n ? 1n : latenessNs);
  }

  reset(): void {
    this.#histogram.reset();
  }

  summary(): DelaySummary {
    return this.#histogram.count > 0 ? summarize(this.#histogram, 0) : { p50: 0, p99: 0, max: 0 };
  }
}
