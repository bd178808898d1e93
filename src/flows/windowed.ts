/**
 * A value per window of time, in bounded memory: when there would be too many windows, each becomes twice as long.
 */
export class Windowed<T> {
  readonly startNs: bigint;
  readonly #merge: (earlier: T, later: T) => T;
  readonly #limit: number;
  #windowNs: bigint;
  #values: (T | undefined)[] = [];

  /** `merge` makes one value of two that fall into one window. */
  constructor(startNs: bigint, windowNs: bigint, limit: number, merge: (earlier: T, later: T) => T) {
    this.startNs = startNs;
    this.#windowNs = windowNs;
    this.#limit = limit;
    this.#merge = merge;
  }

  get windowNs(): bigint {
    return this.#windowNs;
  }

  /** One entry per window from the first on; undefined for a window without a value. */
  get values(): readonly (T | undefined)[] {
    return this.#values;
  }

  /** Merges `value` into each window that the time from `fromNs` to `toNs` touches; what lies before the start does not count. */
  add(fromNs: bigint, toNs: bigint, value: T): void {
    if (toNs < this.startNs) return;
    while (this.#indexOf(toNs) >= this.#limit) this.#coarsen();
    for (let index = this.#indexOf(fromNs); index <= this.#indexOf(toNs); index += 1) {
      this.#values[index] = this.#mergeOf(this.#values[index], value);
    }
  }

  #indexOf(atNs: bigint): number {
    return atNs < this.startNs ? 0 : Number((atNs - this.startNs) / this.#windowNs);
  }

  #coarsen(): void {
    const finer = this.#values;
    this.#windowNs *= 2n;
    this.#values = Array.from({ length: Math.ceil(finer.length / 2) }, (_, index) =>
      this.#mergeOf(finer[2 * index], finer[2 * index + 1]),
    );
  }

  #mergeOf<E extends T | undefined>(earlier: T | undefined, later: E): T | E {
    if (earlier === undefined) return later;
    return later === undefined ? earlier : this.#merge(earlier, later);
  }
}
