import { DueQueue } from './due-queue.ts';

/** Something that is due again and again. */
export interface Task {
  /** Gives the next due time, which must be after `nowNs`; null when there is none. */
  run(dueNs: bigint, nowNs: bigint): bigint | null;
}

export const monotonicNs = (): bigint => process.hrtime.bigint();
export const nsOfMs = (ms: number): bigint => BigInt(Math.round(ms * 1e6));

/**
 * The first slot of `dueNs + k * periodNs` after `nowNs`: a late sender goes on in step with its schedule. The slots
 * that it missed stay empty, because a burst to make up for them would measure nothing.
 */
export function nextSlot(dueNs: bigint, periodNs: bigint, nowNs: bigint): bigint {
  return nowNs < dueNs ? dueNs : dueNs + periodNs * ((nowNs - dueNs) / periodNs + 1n);
}

/**
 * All timing of all flows under one timer, so that a flow costs a heap entry and not a timer of its own. A task runs
 * never early, and about 2 ms late at most on an idle thread: Node's timers count whole milliseconds of a clock that is
 * read once per turn of the loop.
 */
export class Schedule {
  readonly #queue = new DueQueue<Task>();
  #timer: NodeJS.Timeout | undefined;
  #armedForNs: bigint | undefined;
  #stopped = false;
  readonly #onTimer = (): void => {
    this.#wake();
  };

  add(dueNs: bigint, task: Task): void {
    if (this.#stopped) return;
    this.#queue.add(dueNs, task);
    this.#arm();
  }

  /** No task runs after this. */
  stop(): void {
    this.#stopped = true;
    this.#queue.clear();
    clearTimeout(this.#timer);
  }

  #wake(): void {
    // read once: what comes due while this runs waits for a turn of the loop, in which sockets are read
    const nowNs = monotonicNs();
    this.#armedForNs = undefined;
    for (let next = this.#queue.first(); next !== undefined && next.dueNs <= nowNs; next = this.#queue.first()) {
      this.#queue.take();
      const againNs = next.item.run(next.dueNs, nowNs);
      if (againNs !== null) this.#queue.add(againNs, next.item);
    }
    this.#arm();
  }

  #arm(): void {
    const first = this.#queue.first();
    if (first === undefined || this.#stopped) return;
    if (this.#armedForNs !== undefined && this.#armedForNs <= first.dueNs) return;
    clearTimeout(this.#timer);
    this.#armedForNs = first.dueNs;
    const delayMs = Math.max(1, Math.ceil(Number(first.dueNs - monotonicNs()) / 1e6));
    this.#timer = setTimeout(this.#onTimer, delayMs);
  }
}
