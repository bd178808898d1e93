import { nsOfMs, type Task } from './schedule.ts';

/** A flow that waits for answers. */
export interface Waiting {
  readonly isOpen: boolean;
  /** When the ping left that has waited longest; undefined when nothing waits, or an end is known already. */
  waitingSinceNs(): bigint | undefined;
  noteSilence(sinceNs: bigint): void;
}

const secondLookNs = nsOfMs(1);

/**
 * Notices that a flow got no answer for `limitNs`. It looks when the oldest waiting ping would come to that age, so a
 * living flow costs one look per limit, and not one per answer.
 */
export class SilenceWatch implements Task {
  readonly #flow: Waiting;
  readonly #limitNs: bigint;
  #suspectedSinceNs: bigint | undefined;

  constructor(flow: Waiting, limitNs: bigint) {
    this.#flow = flow;
    this.#limitNs = limitNs;
  }

  run(_dueNs: bigint, nowNs: bigint): bigint | null {
    if (!this.#flow.isOpen) return null;
    const sinceNs = this.#flow.waitingSinceNs();
    if (sinceNs === undefined) return this.#lookAgainAt(nowNs + this.#limitNs);
    const deadlineNs = sinceNs + this.#limitNs;
    if (deadlineNs > nowNs) return this.#lookAgainAt(deadlineNs);
    if (this.#suspectedSinceNs !== sinceNs) {
      // after a stall of this thread the answer may lie unread in the socket: let the loop read before it is believed
      this.#suspectedSinceNs = sinceNs;
      return nowNs + secondLookNs;
    }
    this.#flow.noteSilence(sinceNs);
    return this.#lookAgainAt(nowNs + this.#limitNs);
  }

  #lookAgainAt(dueNs: bigint): bigint {
    this.#suspectedSinceNs = undefined;
    return dueNs;
  }
}
