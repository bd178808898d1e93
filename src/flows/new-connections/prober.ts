import type { Protocol } from '../../domain/flow.ts';
import type { AttemptRecord, NewConnectionSpec } from '../../domain/new-connections.ts';
import { monotonicNs, nextSlot, nsOfMs, type Task } from '../schedule.ts';
import { AttemptLog } from './attempt-log.ts';
import type { Dial, Dialer } from './dial.ts';
import { PendingAttempt } from './pending-attempt.ts';

/**
 * Starts an attempt on every slot of its schedule, whatever becomes of those before. Memory grows by a row of numbers an
 * attempt, and by a socket for each in flight, of which there are as many as fit into the limit.
 */
export class Prober implements Task {
  readonly #spec: NewConnectionSpec;
  readonly #protocol: Protocol;
  readonly #dial: Dialer;
  readonly #log = new AttemptLog();
  /** In the order of their start. */
  readonly #inFlight = new Map<PendingAttempt, Dial>();
  readonly #periodNs: bigint;
  readonly #limitNs: bigint;
  #lookedNs = 0n;
  #isStopped = false;
  readonly #onSettled = (attempt: PendingAttempt): void => void this.#inFlight.delete(attempt);

  constructor(spec: NewConnectionSpec, protocol: Protocol, dial: Dialer) {
    this.#spec = spec;
    this.#protocol = protocol;
    this.#dial = dial;
    this.#periodNs = nsOfMs(spec.intervalMs);
    this.#limitNs = nsOfMs(spec.limitMs);
  }

  run(dueNs: bigint): bigint | null {
    if (this.#isStopped) return null;
    this.#giveUpOld();
    const attempt = new PendingAttempt(dueNs, this.#log, this.#onSettled);
    this.#inFlight.set(attempt, this.#dial(this.#spec.endpoint, attempt));
    return nextSlot(dueNs, this.#periodNs, monotonicNs());
  }

  /** Closes what is in flight, and gives what was seen. */
  stop(): AttemptRecord {
    this.#isStopped = true;
    for (const dial of this.#inFlight.values()) dial.abandon();
    this.#inFlight.clear();
    return { path: this.#spec.path, protocol: this.#protocol, clock: null, attempts: this.#log.columns() };
  }

  /**
   * Gives up what was too old at the look before already: after a stall of this thread an answer may lie unread in its
   * socket, and between two looks the loop reads.
   */
  #giveUpOld(): void {
    for (const [attempt, dial] of this.#inFlight) {
      if (attempt.dueNs + this.#limitNs > this.#lookedNs) break;
      dial.abandon();
      attempt.settled({ outcome: 'timed-out', detail: null });
    }
    this.#lookedNs = monotonicNs();
  }
}
