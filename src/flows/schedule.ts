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

/** As short as Node's timers go. */
const tickMs = 1;

/**
 * All timing of all flows under one ticking timer, so that a flow costs a heap entry and not a timer of its own, and all
 * sends that are due leave together. A task runs never early, and about 2 ms late at most on an idle thread: Node's
 * timers count whole milliseconds of a clock that is read once per turn of the loop.
 */
export class Schedule {
  readonly #queue = new DueQueue<Task>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  add(dueNs: bigint, task: Task): void {
    if (this.#stopped) return;
    this.#queue.add(dueNs, task);
    // arming a timer anew for each send would cost more than the ticks in between, which find nothing to do
    this.#timer ??= setInterval(() => {
      this.#tick();
    }, tickMs);
  }

  /** No task runs after this. */
  stop(): void {
    this.#stopped = true;
    this.#queue.clear();
    this.#rest();
  }

  #tick(): void {
    // read once: what comes due while this runs waits for a turn of the loop, in which sockets are read
    const nowNs = monotonicNs();
    for (let next = this.#queue.first(); next !== undefined && next.dueNs <= nowNs; next = this.#queue.first()) {
      this.#queue.take();
      const againNs = next.item.run(next.dueNs, nowNs);
      if (againNs !== null) this.#queue.add(againNs, next.item);
    }
    if (this.#queue.size === 0) this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
