/** Pings are remembered this long, or the latest `mostPings` of them; an answer to an older one can't be dated and is ignored. */
const rememberedMs = 60_000;
/** Nine bytes each: at an interval of 20 ms these are 20 s, and a flow costs 9 kB instead of 27. */
const mostPings = 1_024;

/** When each of a flow's latest pings left, in a ring of bounded size. Sequences count up from 0. */
export class SendLog {
  readonly #sentNs: BigInt64Array;
  readonly #answered: Uint8Array;
  #next = 0;
  #firstUnanswered = 0;

  /** `longestWaitMs`: the longest silence that must still be dated. */
  constructor(periodMs: number, longestWaitMs: number) {
    const wanted = Math.min(rememberedMs / periodMs, mostPings);
    const capacity = Math.ceil(Math.max(wanted, (2 * longestWaitMs) / periodMs)) + 1;
    this.#sentNs = new BigInt64Array(capacity);
    this.#answered = new Uint8Array(capacity);
  }

  /** The sequence of the ping that leaves next. */
  get next(): number {
    return this.#next;
  }

  /** Notes that a ping leaves, and gives its sequence. */
  add(sentNs: bigint): number {
    const sequence = this.#next;
    this.#next += 1;
    this.#sentNs[this.#slot(sequence)] = sentNs;
    this.#answered[this.#slot(sequence)] = 0;
    return sequence;
  }

  /** When that ping left; undefined for one that never did, or was forgotten. */
  sentNs(sequence: number): bigint | undefined {
    const remembered = sequence < this.#next && sequence >= this.#next - this.#sentNs.length;
    return remembered ? this.#sentNs[this.#slot(sequence)] : undefined;
  }

  /** True for the first answer to a ping that is remembered. */
  markAnswered(sequence: number): boolean {
    if (this.sentNs(sequence) === undefined) return false;
    this.#firstUnanswered = Math.max(this.#firstUnanswered, sequence + 1);
    const isFirst = this.#answered[this.#slot(sequence)] === 0;
    this.#answered[this.#slot(sequence)] = 1;
    return isFirst;
  }

  /** When the first ping after the last answered one left; undefined when none is waiting. */
  firstUnansweredNs(): bigint | undefined {
    return this.sentNs(this.#firstUnanswered);
  }

  #slot(sequence: number): number {
    return sequence % this.#sentNs.length;
  }
}
