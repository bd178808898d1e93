import { writeSync } from 'node:fs';
import { hasCode } from './start-failure.ts';

/**
 * Writes all of `text` before it returns, so that a line written just before an exit is not lost. Blocks while a
 * non-blocking pipe is full, as a blocking one would. Text for a reader that has left (EPIPE) is dropped.
 */
export function writeWhole(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // What clients see must not depend on whether somebody still reads the log.
      if (hasCode(error, 'EPIPE')) return;
      if (!hasCode(error, 'EAGAIN')) throw error;
      sleepOneMillisecond();
    }
  }
}

function sleepOneMillisecond(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
