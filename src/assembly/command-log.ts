import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { CommandEntry } from '../process/runner.ts';

/** Appends every external command to a file, a JSON object a line. Disposing waits until all is written. */
export function openCommandLog(path: string): { readonly keep: (entry: CommandEntry) => void } & AsyncDisposable {
  const stream = createWriteStream(path, { flags: 'a' });
  const done = finished(stream);
  // a log that can't be written is told of at the end, and does not end a measurement before
  done.catch(() => undefined);
  return {
    keep: (entry) => {
      // the clean-up of an interrupted run may still run commands after its log is closed
      if (stream.writable) stream.write(`${JSON.stringify(entry)}\n`);
    },
    async [Symbol.asyncDispose]() {
      stream.end();
      await done;
    },
  };
}
