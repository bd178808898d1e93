import { inputError } from './errors.ts';
import { shown } from './printable.ts';

/** An ordered set of plug-ins, keyed by name. A duplicate name fails at import, not in a run. */
export class Registry<T extends { readonly name: string }> implements Iterable<T> {
  readonly #kind: string;
  readonly #entries: ReadonlyMap<string, T>;

  constructor(kind: string, entries: readonly T[]) {
    this.#kind = kind;
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
    if (this.#entries.size !== entries.length) throw new Error(`duplicate ${kind} name`);
  }

  /** Undefined where none has that name, as one that a report of another version holds. */
  find(name: string): T | undefined {
    return this.#entries.get(name);
  }

  /** @throws {ActionableError} of kind `input` that lists the known names. */
  get(name: string): T {
    const entry = this.find(name);
    if (entry !== undefined) return entry;
    throw inputError({
      expected: `a ${this.#kind} is one of ${this.names().join(', ')}`,
      found: `unknown ${this.#kind} "${shown(name)}"`,
      remedy: 'use one of these names',
    });
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#entries.values();
  }
}
