import type { SendLateness } from './delay.ts';
import { monotonicNs, nextSlot, type Task } from './schedule.ts';

/** What a paced flow does, and whether it still wants to. */
export interface Paced {
  readonly isOpen: boolean;
  sendPing(): void;
}

/** Sends on an absolute schedule until the flow closes, and notes how late each send was. */
export class Pace implements Task {
  readonly #flow: Paced;
  readonly #periodNs: bigint;
  readonly #lateness: SendLateness;

  constructor(flow: Paced, periodNs: bigint, lateness: SendLateness) {
    this.#flow = flow;
    this.#periodNs = periodNs;
    this.#lateness = lateness;
  }

  run(dueNs: bigint): bigint | null {
    if (!this.#flow.isOpen) return null;
    const nowNs = monotonicNs();
    this.#lateness.record(nowNs - dueNs);
    this.#flow.sendPing();
    const againNs = nextSlot(dueNs, this.#periodNs, nowNs);
    const skipped = (againNs - dueNs) / this.#periodNs - 1n;
    if (skipped > 0n) this.#lateness.noteSkipped(Number(skipped));
    return againNs;
  }
}

/** A random moment of the period: flows that speak in step would all meet an event at the same distance. */
export const randomPhaseNs = (periodNs: bigint): bigint => BigInt(Math.floor(Math.random() * Number(periodNs)));
