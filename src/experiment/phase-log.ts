import type { PhaseSpan } from '../domain/trial.ts';

/** How the time of one trial is spent, phase after phase, on the client's monotonic clock. */
export class PhaseLog {
  readonly #spans: { readonly phase: string; readonly fromNs: bigint; readonly toNs: bigint }[] = [];
  #current: { readonly phase: string; readonly fromNs: bigint } | undefined;

  /** Ends the phase before it. */
  begin(phase: string): void {
    this.end();
    this.#current = { phase, fromNs: process.hrtime.bigint() };
  }

  /** Between this and the next `begin` the trial waits for its turn. */
  end(): void {
    if (this.#current !== undefined) this.#spans.push({ ...this.#current, toNs: process.hrtime.bigint() });
    this.#current = undefined;
  }

  /** In milliseconds after `originNs`. */
  spans(originNs: bigint): readonly PhaseSpan[] {
    const msAfter = (atNs: bigint) => Math.round(Number(atNs - originNs) / 1e3) / 1e3;
    return this.#spans.map(({ phase, fromNs, toNs }) => ({ phase, fromMs: msAfter(fromNs), toMs: msAfter(toNs) }));
  }
}
