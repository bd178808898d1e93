import { monotonicNs } from '../schedule.ts';
import type { AttemptLog, Settlement } from './attempt-log.ts';
import type { DialListener } from './dial.ts';

/** An attempt in flight: stamps what its dial tells, and writes it down. */
export class PendingAttempt implements DialListener {
  /** When its slot was. */
  readonly dueNs: bigint;
  readonly #log: AttemptLog;
  readonly #onSettled: (attempt: PendingAttempt) => void;
  #row: number | undefined;

  constructor(dueNs: bigint, log: AttemptLog, onSettled: (attempt: PendingAttempt) => void) {
    this.dueNs = dueNs;
    this.#log = log;
    this.#onSettled = onSettled;
  }

  started(): number {
    this.#row ??= this.#log.start(monotonicNs());
    return this.#row;
  }

  settled(settlement: Settlement): void {
    const nowNs = monotonicNs();
    this.#row ??= this.#log.start(nowNs);
    this.#log.settle(this.#row, nowNs, settlement);
    this.#onSettled(this);
  }
}
