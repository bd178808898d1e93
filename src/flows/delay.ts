import { createHistogram, type Histogram } from 'node:perf_hooks';
import type { DelaySummary, StampDelays } from '../domain/client.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import { monotonicNs, nsOfMs } from './schedule.ts';
import { Windowed } from './windowed.ts';

const msOfNs = (ns: number): number => ns / 1e6;
const longestNs = 3_600_000_000_000;
const samplingMs = 1;
const samplingNs = nsOfMs(samplingMs);
const windowNs = nsOfMs(100);
/** An hour of windows; what lasts longer has coarser ones. */
const mostWindows = 36_000;

const delayHistogram = () => createHistogram({ lowest: 1, highest: longestNs, figures: 3 });
const atLeast1 = (ns: bigint): bigint => (ns < 1n ? 1n : ns);

const summarize = (histogram: Histogram): DelaySummary => ({
  p50: msOfNs(histogram.percentile(50)),
  p99: msOfNs(histogram.percentile(99)),
  max: msOfNs(histogram.max),
});

/**
 * How long this thread's event loop kept what was due waiting, by the turns of a timer of 1 ms. What exceeds that period
 * is the delay. libuv counts whole milliseconds, so an idle loop shows up to about 1 ms.
 *
 * The histogram of node:perf_hooks is no help here: it forgets its latest turn at each reset, so that a stall right
 * after one would not be seen.
 */
export class LoopDelay {
  readonly #histogram = delayHistogram();
  readonly #windows: Windowed<number>;
  readonly #timer: NodeJS.Timeout;
  #lastTurnNs: bigint;
  #turnBeforeNs: bigint;

  constructor() {
    const nowNs = monotonicNs();
    this.#lastTurnNs = nowNs;
    this.#turnBeforeNs = nowNs;
    this.#windows = new Windowed(nowNs, windowNs, mostWindows, Math.max);
    this.#timer = setInterval(() => {
      this.#turn();
    }, samplingMs);
  }

  /** Starts the summary anew. The windows go on. */
  reset(): void {
    this.#histogram.reset();
  }

  summary(): DelaySummary {
    if (this.#histogram.count > 0) return summarize(this.#histogram);
    // no turn yet: whatever the delay was, it was not longer than all the time there was
    const bound = msOfNs(Number(monotonicNs() - this.#lastTurnNs));
    return { p50: bound, p99: bound, max: bound };
  }

  stampDelays(): StampDelays {
    const { startNs, windowNs: lengthNs, values } = this.#windows;
    return { startNs, windowNs: lengthNs, maxMs: values.map((ms) => ms ?? 0) };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#turn();
  }

  /**
   * A socket is read once in a turn of the loop, so what is stamped between two turns of the timer came after the turn
   * before them: that is how late the stamp can be.
   */
  #turn(): void {
    const nowNs = monotonicNs();
    this.#histogram.record(atLeast1(nowNs - this.#lastTurnNs - samplingNs));
    this.#windows.add(this.#turnBeforeNs, nowNs, msOfNs(Number(nowNs - this.#turnBeforeNs)));
    this.#turnBeforeNs = this.#lastTurnNs;
    this.#lastTurnNs = nowNs;
  }
}

/** How late sends left against their slots, in bounded memory. */
export class SendLateness {
  readonly #histogram = delayHistogram();

  record(latenessNs: bigint): void {
    this.#histogram.record(atLeast1(latenessNs));
  }

  reset(): void {
    this.#histogram.reset();
  }

  summary(): Measured<DelaySummary> {
    return this.#histogram.count > 0 ? measured(summarize(this.#histogram)) : notMeasured('nothing was sent');
  }
}
