import { formatPong, parsePing } from './protocol.ts';

/** Answers lines, whatever carried them. */
export class Responder {
  readonly #identity: string;
  #ignoredLines = 0;

  constructor(identity: string) {
    this.#identity = identity;
  }

  /** Lines that no message could be read from, over all connections and datagrams. */
  get ignoredLines(): number {
    return this.#ignoredLines;
  }

  /** The answer, stamped now; null for a line that is ignored. */
  answer(line: string): string | null {
    const ping = parsePing(line);
    if (ping !== null) return formatPong(ping.sequence, process.hrtime.bigint(), this.#identity);
    this.countIgnored();
    return null;
  }

  countIgnored(): void {
    this.#ignoredLines += 1;
  }
}
