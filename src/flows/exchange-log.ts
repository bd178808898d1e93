import type { ClockExchange, ClockExchanges } from '../domain/client.ts';
import { Windowed } from './windowed.ts';

const windowNs = 1e9;
const mostWindows = 600;

/** Of one window: the exchange that says most of when the probe's reading was earliest, and the one of when latest. */
interface Best {
  readonly earliest: ClockExchange;
  readonly latest: ClockExchange;
}

/** The exchanges with one process; the first window starts at the first receipt. */
interface Log {
  count: number;
  readonly startNs: bigint;
  readonly windows: Windowed<Best>;
}

const best = (a: Best, b: Best): Best => ({
  earliest: outNs(b.earliest) < outNs(a.earliest) ? b.earliest : a.earliest,
  latest: backNs(b.latest) < backNs(a.latest) ? b.latest : a.latest,
});
// both hold the offset of two clocks besides, which within a window is nearly the same for all
const outNs = ({ sentNs, probeNs }: ClockExchange): bigint => probeNs - sentNs;
const backNs = ({ probeNs, receivedNs }: ClockExchange): bigint => receivedNs - probeNs;

/**
 * Keeps what the exchanges tell of the probe's clock: of each second the two that bound it best, with when they were.
 * Two machines' clocks drift apart, so an exchange says less of a time the further that is away, and none can stand for
 * all.
 */
export class ExchangeLog {
  readonly #byIdentity = new Map<string, Log>();

  add(identity: string, exchange: ClockExchange): void {
    let log = this.#byIdentity.get(identity);
    if (log === undefined) {
      log = { count: 0, startNs: exchange.receivedNs, windows: new Windowed(windowNs, mostWindows, best) };
      this.#byIdentity.set(identity, log);
    }
    log.count += 1;
    const atNs = Number(exchange.receivedNs - log.startNs);
    log.windows.add(atNs, atNs, { earliest: exchange, latest: exchange });
  }

  /** Null when nobody answered, and when flows were opened to several identities, whose clocks may be several. */
  exchanges(): ClockExchanges | null {
    const [only, another] = [...this.#byIdentity.values()];
    if (only === undefined || another !== undefined) return null;
    const kept = only.windows.values.flatMap((window) => {
      if (window === undefined) return [];
      return window.earliest === window.latest ? [window.earliest] : [window.earliest, window.latest];
    });
    return { count: only.count, kept };
  }
}
