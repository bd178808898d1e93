import { EventEmitter, once } from 'node:events';

/** Things in the order of their arrival, that a test can wait for. */
export class Arrivals<T> {
  readonly items: T[] = [];
  readonly #arrivals = new EventEmitter().setMaxListeners(0);

  push(...items: readonly T[]): void {
    this.items.push(...items);
    this.#arrivals.emit('arrival');
  }

  /** Resolves with the first defined value that `find` gives; rejects when `ended` settles and it still gives none. */
  async until<U>(find: (items: readonly T[]) => U | undefined, ended: Promise<unknown>): Promise<U> {
    const over = ended.then((how) => ({ how }));
    for (;;) {
      const found = find(this.items);
      if (found !== undefined) return found;
      const end = await Promise.race([once(this.#arrivals, 'arrival').then(() => undefined), over]);
      if (end === undefined) continue;
      const foundAtLast = find(this.items);
      if (foundAtLast !== undefined) return foundAtLast;
      throw new Error(`Ended (${JSON.stringify(end.how)}) after ${JSON.stringify(this.items, textOfBigints)}`);
    }
  }

  /** The n-th to arrive, from 1. */
  nth(n: number, ended: Promise<unknown>): Promise<T> {
    return this.until((items) => items[n - 1], ended);
  }
}

const textOfBigints = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
