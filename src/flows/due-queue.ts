interface Entry<T> {
  readonly dueNs: bigint;
  readonly item: T;
}

/** A binary heap by due time: O(log n) to add and to take, whatever the periods of what is in it. */
export class DueQueue<T> {
  readonly #entries: Entry<T>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** The earliest entry; undefined when empty. */
  first(): Entry<T> | undefined {
    return this.#entries[0];
  }

  add(dueNs: bigint, item: T): void {
    const entries = this.#entries;
    const entry = { dueNs, item };
    let hole = entries.length;
    entries.push(entry);
    while (hole > 0) {
      const parentIndex = (hole - 1) >> 1;
      const parent = entries[parentIndex];
      if (parent === undefined || parent.dueNs <= dueNs) break;
      entries[hole] = parent;
      hole = parentIndex;
    }
    entries[hole] = entry;
  }

  /** Removes the earliest entry, and gives it. */
  take(): Entry<T> | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (last !== undefined && this.#entries.length > 0) this.#sink(last);
    return first;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** Puts `entry` where the root's hole ends up. */
  #sink(entry: Entry<T>): void {
    const entries = this.#entries;
    let hole = 0;
    for (;;) {
      const leftIndex = 2 * hole + 1;
      const left = entries[leftIndex];
      if (left === undefined) break;
      const right = entries[leftIndex + 1];
      const [child, childIndex] =
        right !== undefined && right.dueNs < left.dueNs ? [right, leftIndex + 1] : [left, leftIndex];
      if (child.dueNs >= entry.dueNs) break;
      entries[hole] = child;
      hole = childIndex;
    }
    entries[hole] = entry;
  }
}
