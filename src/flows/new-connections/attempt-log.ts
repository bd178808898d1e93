import { attemptOutcomes, type AttemptColumns, type AttemptOutcome } from '../../domain/new-connections.ts';

/** Several identities answer and a few codes occur; what exceeds this is told as the last of them. */
const mostDetails = 60_000;
const firstCapacity = 4_096;

/** How an attempt went, as the one who dialled tells it. */
export interface Settlement {
  readonly outcome: AttemptOutcome;
  /** Who answered, or the error's code; null where the outcome says all. */
  readonly detail: string | null;
}

/** All attempts of a run in 19 bytes each, in the order of their start. */
export class AttemptLog {
  #startedNs = new BigInt64Array(firstCapacity);
  #endedNs = new BigInt64Array(firstCapacity);
  #outcome = new Uint8Array(firstCapacity);
  #detail = new Uint16Array(firstCapacity);
  #size = 0;
  readonly #details = new Map<string, number>();

  /** Notes that an attempt starts, and gives its number. */
  start(nowNs: bigint): number {
    if (this.#size === this.#outcome.length) this.#grow();
    this.#startedNs[this.#size] = nowNs;
    this.#size += 1;
    return this.#size - 1;
  }

  settle(attempt: number, nowNs: bigint, { outcome, detail }: Settlement): void {
    this.#endedNs[attempt] = nowNs;
    this.#outcome[attempt] = attemptOutcomes.indexOf(outcome) + 1;
    this.#detail[attempt] = detail === null ? 0 : this.#numberOf(detail);
  }

  columns(): AttemptColumns {
    return {
      startedNs: this.#startedNs.slice(0, this.#size),
      endedNs: this.#endedNs.slice(0, this.#size),
      outcome: this.#outcome.slice(0, this.#size),
      detail: this.#detail.slice(0, this.#size),
      details: [...this.#details.keys()],
    };
  }

  #numberOf(detail: string): number {
    const known = this.#details.get(detail);
    if (known !== undefined) return known;
    if (this.#details.size === mostDetails) return mostDetails;
    this.#details.set(detail, this.#details.size + 1);
    return this.#details.size;
  }

  #grow(): void {
    const capacity = 2 * this.#outcome.length;
    this.#startedNs = enlarged(this.#startedNs, new BigInt64Array(capacity));
    this.#endedNs = enlarged(this.#endedNs, new BigInt64Array(capacity));
    this.#outcome = enlarged(this.#outcome, new Uint8Array(capacity));
    this.#detail = enlarged(this.#detail, new Uint16Array(capacity));
  }
}

interface Settable<Column> {
  set(from: Column): void;
}

function enlarged<Column extends Settable<Column>>(from: Column, into: Column): Column {
  into.set(from);
  return into;
}
