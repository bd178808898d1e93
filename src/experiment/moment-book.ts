/** A stretch of time, ms. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Keeps the critical moments of concurrent trials apart. kube-proxy acts on all Services of a node at once, at most once
 * in each minSyncPeriod, and a kubelet starts and ends containers on the same CPUs: what one trial sets off at the
 * moment of another would be measured there.
 */
export class MomentBook {
  readonly #spacingMs: number;
  readonly #taken: Span[] = [];

  /** `spacingMs`: least time between two trials' moments. */
  constructor(spacingMs: number) {
    this.#spacingMs = spacingMs;
  }

  /**
   * Books the earliest trigger at or after `earliestMs` whose moments all lie apart from those that were booked.
   * @returns when the trigger is due, on the clock of `earliestMs`
   */
  reserve(moments: readonly Span[], earliestMs: number): number {
    let triggerMs = earliestMs;
    for (;;) {
      const obstacle = this.#firstMeeting(moments, triggerMs);
      if (obstacle === undefined) break;
      triggerMs += obstacle;
    }
    this.#taken.push(...moments.map(({ fromMs, toMs }) => ({ fromMs: triggerMs + fromMs, toMs: triggerMs + toMs })));
    return triggerMs;
  }

  /** How much later the trigger must be for one of its moments to clear a booked one; undefined when all are clear. */
  #firstMeeting(moments: readonly Span[], triggerMs: number): number | undefined {
    for (const { fromMs, toMs } of moments) {
      const meeting = this.#taken.find(
        (span) => triggerMs + fromMs < span.toMs + this.#spacingMs && span.fromMs < triggerMs + toMs + this.#spacingMs,
      );
      if (meeting !== undefined) return meeting.toMs + this.#spacingMs - (triggerMs + fromMs);
    }
    return undefined;
  }
}
