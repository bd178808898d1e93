import { maxLineBytes } from './protocol-lines.ts';

/** Whole lines of a chunk, each with its `\n`; `overlong` when the stream broke the protocol's limit after them. */
export interface SplitLines {
  readonly lines: readonly string[];
  readonly overlong: boolean;
}

/** Cuts a byte stream into lines, holding an unfinished one until the rest of it comes. */
export class LineSplitter {
  #unfinished = '';

  push(chunk: Buffer): SplitLines {
    // one character a byte: what is not ASCII can't be part of a message, and must not change a length
    let rest = this.#unfinished + chunk.toString('latin1');
    const lines: string[] = [];
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      if (end >= maxLineBytes) break;
      lines.push(rest.slice(0, end + 1));
      rest = rest.slice(end + 1);
    }
    const overlong = rest.length >= maxLineBytes;
    this.#unfinished = overlong ? '' : rest;
    return { lines, overlong };
  }
}
