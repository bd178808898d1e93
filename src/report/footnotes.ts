/** Reasons under a table: equal ones share a number. */
export class Footnotes {
  readonly #texts: string[] = [];

  /** The mark to put beside what the text explains, as `[1]`. */
  mark(text: string): string {
    const known = this.#texts.indexOf(text);
    return `[${known === -1 ? this.#texts.push(text) : known + 1}]`;
  }

  /** Marks of several texts, each once. */
  marks(texts: Iterable<string>): string {
    return [...new Set(texts)].map((text) => this.mark(text)).join('');
  }

  /** As `[1] reason`, in the order of their first mark. */
  lines(): readonly string[] {
    return this.#texts.map((text, index) => `[${index + 1}] ${text}`);
  }
}
