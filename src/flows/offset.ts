import type { OffsetBounds } from '../domain/client.ts';

interface Bounds {
  lowNs: bigint;
  highNs: bigint;
  exchanges: number;
}

/**
 * Bounds (probe clock - client clock) by the exchanges with one identity. Each exchange contains the true offset, so
 * the intersection does. It holds for an offset that is constant: two machines' clocks drift apart by some 10 us a
 * second, and low > high says that they did so by more than the exchanges' uncertainty.
 */
export class OffsetEstimator {
  readonly #boundsByIdentity = new Map<string, Bounds>();

  add(identity: string, probeNs: bigint, sentNs: bigint, receivedNs: bigint): void {
    const lowNs = probeNs - receivedNs;
    const highNs = probeNs - sentNs;
    const bounds = this.#boundsByIdentity.get(identity);
    if (bounds === undefined) {
      this.#boundsByIdentity.set(identity, { lowNs, highNs, exchanges: 1 });
      return;
    }
    if (lowNs > bounds.lowNs) bounds.lowNs = lowNs;
    if (highNs < bounds.highNs) bounds.highNs = highNs;
    bounds.exchanges += 1;
  }

  /** Null when nobody answered, and when flows were opened to several identities, whose clocks may be several. */
  bounds(): OffsetBounds | null {
    const [only, another] = [...this.#boundsByIdentity.values()];
    return only === undefined || another !== undefined ? null : { ...only };
  }
}
