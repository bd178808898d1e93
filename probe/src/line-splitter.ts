import { maxLineBytes } from './protocol.ts';

export interface SplitLines {
  /** Whole lines in the order of arrival, each with its newline. */
  readonly lines: readonly string[];
  /** A line is, or is sure to become, longer than the protocol allows. Nothing after it can be trusted. */
  readonly overlong: boolean;
}

/** Cuts one connection's stream into lines: a chunk may hold several, or a part of one. */
export class LineSplitter {
  #unfinished = '';

  push(chunk: Buffer): SplitLines {
    // One byte is one character in latin1: lengths are bytes, and a byte beyond ASCII stays what no message contains.
    const parts = (this.#unfinished + chunk.toString('latin1')).split('\n');
    this.#unfinished = parts.pop() ?? '';

    const firstOverlong = parts.findIndex(isOverlong);
    if (firstOverlong === -1) return { lines: parts.map(endLine), overlong: isOverlong(this.#unfinished) };
    return { lines: parts.slice(0, firstOverlong).map(endLine), overlong: true };
  }
}

const endLine = (content: string): string => `${content}\n`;
const isOverlong = (content: string): boolean => content.length + 1 > maxLineBytes;
