import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pRetry, { AbortError } from 'p-retry';
import { describeError, requirementError } from '../../domain/errors.ts';

export interface Download {
  readonly url: string;
  readonly sha256: string;
  readonly target: string;
}

/** Time for one attempt at some ten megabytes. */
const attemptMs = 180_000;
const retries = 3;

/**
 * Downloads an executable. Nothing stands at `target` before its checksum was found right; nothing is kept otherwise.
 * @throws {ActionableError} of kind `requirement` when it can't be had, or is not what the checksum is of.
 */
export async function downloadExecutable({ url, sha256, target }: Download, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const partial = join(dirname(target), `.${randomUUID()}.partial`);
  try {
    const found = await pRetry(() => fetchInto(partial, url, signal), { retries, minTimeout: 500, signal });
    if (found !== sha256) throw wrongChecksum(url, sha256, found);
    await chmod(partial, 0o755);
    await rename(partial, target);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === 'ActionableError') throw error;
    throw requirementError(
      {
        expected: `${url} can be downloaded`,
        found: `downloading it failed: ${describeError(error)}`,
        remedy: 'see that this machine reaches that address, or install kind yourself',
      },
      error,
    );
  } finally {
    await rm(partial, { force: true });
  }
}

const wrongChecksum = (url: string, expected: string, found: string) =>
  requirementError({
    expected: `${url} has the SHA-256 ${expected}`,
    found: `it has ${found}`,
    remedy: 'do not use that file: find out what stands between this machine and the release, or install kind yourself',
  });

/** Writes the body to `path` and gives its SHA-256. */
async function fetchInto(path: string, url: string, signal: AbortSignal): Promise<string> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
  const response = await fetch(url, { signal: bounded });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    const error = new Error(`HTTP ${response.status} ${response.statusText}`);
    // a client's error stays one however often it is asked again
    throw response.status >= 400 && response.status < 500 && response.status !== 429 ? new AbortError(error) : error;
  }
  const hash = createHash('sha256');
  await pipeline(
    Readable.fromWeb(response.body),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path),
    { signal: bounded },
  );
  return hash.digest('hex');
}
