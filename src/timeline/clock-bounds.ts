import type { ClockExchange } from '../domain/client.ts';

/** The Linux kernel lets CLOCK_MONOTONIC run fast or slow by at most 500 ppm (adjtimex(2), MAXFREQ). */
const maxRateError = 500e-6;

/** How far the client's clock may stray, in seconds a second of the probe's: either may be off, each its own way. */
const maxDrift = (1 + maxRateError) / (1 - maxRateError) - 1;

/** What the client's clock can have shown, in nanoseconds since its reading `zeroNs`. */
export interface ClientInterval {
  readonly earliestNs: number;
  readonly latestNs: number;
}

/**
 * What the client's clock can have shown when the probe's clock read a value. Each exchange bounds it: the probe's clock
 * says how long before or after the exchange that was, and the two clocks disagree about that length by the drift at
 * most. The true time is within the bounds of every exchange, so it is within their intersection.
 */
export class ClockBounds {
  readonly #exchanges: readonly { readonly probeNs: bigint; readonly sentNs: number; readonly receivedNs: number }[];

  constructor(zeroNs: bigint, exchanges: readonly ClockExchange[]) {
    this.#exchanges = exchanges.map(({ sentNs, probeNs, receivedNs }) => ({
      probeNs,
      sentNs: Number(sentNs - zeroNs),
      receivedNs: Number(receivedNs - zeroNs),
    }));
  }

  /** Undefined when the exchanges contradict each other about that time: then a clock did not keep to its rate. */
  at(probeNs: bigint): ClientInterval | undefined {
    let earliestNs = -Infinity;
    let latestNs = Infinity;
    for (const exchange of this.#exchanges) {
      const sinceNs = Number(probeNs - exchange.probeNs);
      const driftNs = maxDrift * Math.abs(sinceNs);
      earliestNs = Math.max(earliestNs, exchange.sentNs + sinceNs - driftNs);
      latestNs = Math.min(latestNs, exchange.receivedNs + sinceNs + driftNs);
    }
    return earliestNs > latestNs ? undefined : { earliestNs, latestNs };
  }

  /**
   * The greatest width of the bounds while exchanges were made, in nanoseconds; undefined when any two exchanges
   * contradict each other. Two do if at all, then at the time of either.
   */
  greatestWidthNs(): number | undefined {
    let greatestNs = 0;
    for (const { probeNs } of this.#exchanges) {
      const interval = this.at(probeNs);
      if (interval === undefined) return undefined;
      greatestNs = Math.max(greatestNs, interval.latestNs - interval.earliestNs);
    }
    return greatestNs;
  }
}
