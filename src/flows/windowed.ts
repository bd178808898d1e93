/**
 * A value per window of time, in bounded memory: when there would be too many windows, each becomes twice as long.
 * Times are nanoseconds after the first window's start, as plain numbers: exact for 104 days, and cheap.
 */
export class Windowed<T> {
  readonly #merge: (earlier: T, later: T) => T;
  readonly #limit: number;
  #windowNs: number;
  #values: (T | undefined)[] = [];

  /** `merge` makes one value of two that fall into one window. */
  constructor(windowNs: number, limit: number, merge: (earlier: T, later: T) => T) {
    this.#windowNs = windowNs;
    this.#limit = limit;
    this.#merge = merge;
  }

  get windowNs(): number {
    return this.#windowNs;
  }

  /** One entry per window from the first on; undefined for a window without a value. */
  get values(): readonly (T | undefined)[] {
    return this.#values;
  }

  /** Merges `value` into each window that the time from `fromNs` to `toNs` touches; what lies before the start does not count. */
  add(fromNs: number, toNs: number, value: T): void {
    if (toNs < 0) return;
    while (this.#indexOf(toNs) >= this.#limit) this.#coarsen();
    const last = this.#indexOf(toNs);
    for (let index = this.#indexOf(fromNs); index <= last; index += 1) {
      this.#values[index] = this.#mergeOf(this.#values[index], value);
    }
  }

  #indexOf(atNs: number): number {
    return atNs < 0 ? 0 : Math.floor(atNs / this.#windowNs);
  }

  #coarsen(): void {
    const finer = this.#values;
    this.#windowNs *= 2;
    this.#values = Array.from({ length: Math.ceil(finer.length / 2) }, (_, index) =>
      this.#mergeOf(finer[2 * index], finer[2 * index + 1]),
    );
  }

  #mergeOf<E extends T | undefined>(earlier: T | undefined, later: E): T | E {
    if (earlier === undefined) return later;
    return later === undefined ? earlier : this.#merge(earlier, later);
  }
}
