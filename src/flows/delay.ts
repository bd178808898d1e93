import { createHistogram, type Histogram } from 'node:perf_hooks';
import type { DelaySummary, StampDelays } from '../domain/client.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import { monotonicNs } from './schedule.ts';
import { Windowed } from './windowed.ts';

const msOfNs = (ns: number): number => ns / 1e6;
const longestNs = 3_600_000_000_000;
const samplingMs = 1;
const samplingNs = samplingMs * 1e6;
const windowNs = 100e6;
/** An hour of windows; what lasts longer has coarser ones. */
const mostWindows = 36_000;

const delayHistogram = () => createHistogram({ lowest: 1, highest: longestNs, figures: 3 });
const atLeast1 = (ns: number): number => (ns < 1 ? 1 : ns);

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
  readonly #startNs = monotonicNs();
  /** Nanoseconds after the start, as plain numbers: a turn comes a thousand times a second, whatever the flows do. */
  #lastTurnNs = 0;
  #turnBeforeNs = 0;

  constructor() {
    this.#windows = new Windowed(windowNs, mostWindows, Math.max);
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
    const bound = msOfNs(this.#sinceStartNs() - this.#lastTurnNs);
    return { p50: bound, p99: bound, max: bound };
  }

  stampDelays(): StampDelays {
    const { windowNs: lengthNs, values } = this.#windows;
    return { startNs: this.#startNs, windowNs: BigInt(lengthNs), maxMs: values.map((ms) => ms ?? 0) };
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
    const nowNs = this.#sinceStartNs();
    this.#histogram.record(atLeast1(nowNs - this.#lastTurnNs - samplingNs));
    this.#windows.add(this.#turnBeforeNs, nowNs, msOfNs(nowNs - this.#turnBeforeNs));
    this.#turnBeforeNs = this.#lastTurnNs;
    this.#lastTurnNs = nowNs;
  }

  #sinceStartNs(): number {
    return Number(monotonicNs() - this.#startNs);
  }
}

/** How late sends left against their slots, in bounded memory, and how many slots passed without one. */
export class SendLateness {
  readonly #histogram = delayHistogram();
  #skipped = 0;

  /** Slots that nothing was sent in, because their sender came later than the next one. */
  get skipped(): number {
    return this.#skipped;
  }

  record(latenessNs: bigint): void {
    this.#histogram.record(atLeast1(Number(latenessNs)));
  }

  noteSkipped(slots: number): void {
    this.#skipped += slots;
  }

  reset(): void {
    this.#histogram.reset();
    this.#skipped = 0;
  }

  summary(): Measured<DelaySummary> {
    return this.#histogram.count > 0 ? measured(summarize(this.#histogram)) : notMeasured('nothing was sent');
  }
}
