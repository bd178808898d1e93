import { setTimeout } from 'node:timers/promises';
import { harnessError } from '../domain/errors.ts';

/**
 * Settles as `work` does, but never later than after `limitMs`: a promise that nothing settles any more would let the
 * process end in silence, as if it had succeeded.
 *
 * @throws {ActionableError} of kind `harness` when the time is over.
 */
export async function withinTime<T>(work: Promise<T>, what: string, limitMs: number): Promise<T> {
  const done = new AbortController();
  try {
    return await Promise.race([work, failAfter(limitMs, what, done.signal)]);
  } finally {
    done.abort();
  }
}

async function failAfter(limitMs: number, what: string, signal: AbortSignal): Promise<never> {
  await setTimeout(limitMs, undefined, { signal });
  throw harnessError({
    expected: `${what} within ${limitMs / 1000} s`,
    found: `no end of it after ${limitMs / 1000} s`,
    remedy: 'look at the load of this machine, and try again',
  });
}
