import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DefaultArtifactClient } from '@actions/artifact';
import { describeError } from '../domain/errors.ts';
import { failed, type ApiFailure } from './api-result.ts';

export interface UploadRequest {
  readonly folder: string;
  /** As artifactNameOf gives it. */
  readonly name: string;
  /** Days; undefined: the repository's own setting. */
  readonly retentionDays?: number;
  /** An attempt that has not ended after this many milliseconds is given up. Default ten minutes. */
  readonly timeoutMs?: number;
}

export type UploadResult =
  | {
      readonly status: 'uploaded';
      readonly id: number;
      /** The name that was free: the wished one, or that one with a suffix. */
      readonly name: string;
      readonly bytes: number;
      /** Lower-case hexadecimal SHA-256 of the archive. */
      readonly sha256: string;
      readonly files: number;
    }
  | ApiFailure;

const defaultTimeoutMs = 600_000;
/** A taken name is followed by -2 … -5: more takers of one name are a mistake in the workflow. */
const mostSuffix = 5;

/**
 * Uploads the regular files below a folder as one artifact of the current workflow run. What is no regular file,
 * a symbolic link above all, stays behind: it could lead anywhere on the runner.
 *
 * The artifact client can't be aborted; when `signal` or the time limit ends the wait, it goes on in the background.
 *
 * @throws the signal's reason when it is aborted; every failure of GitHub is a result
 */
export async function uploadArtifact(request: UploadRequest, signal: AbortSignal): Promise<UploadResult> {
  const missing = ['ACTIONS_RUNTIME_TOKEN', 'ACTIONS_RESULTS_URL'].filter((name) => (process.env[name] ?? '') === '');
  if (missing.length > 0) {
    return failed(
      'unavailable',
      `${missing.join(' and ')} not set: artifacts exist only on a GitHub runner, in an action`,
    );
  }
  const root = resolve(request.folder);
  const files = await regularFilesBelow(root);
  if (files.length === 0) return failed('invalid', `there is no file to upload in ${root}`);
  for (let suffix = 1; suffix <= mostSuffix; suffix++) {
    const name = suffix === 1 ? request.name : `${request.name}-${suffix}`;
    const result = await uploadAs(name, files, root, request, signal);
    if (result.status !== 'conflict') return result;
  }
  return failed('conflict', `the run has artifacts ${request.name} to ${request.name}-${mostSuffix} already`);
}

async function uploadAs(
  name: string,
  files: readonly string[],
  root: string,
  { retentionDays, timeoutMs = defaultTimeoutMs }: UploadRequest,
  signal: AbortSignal,
): Promise<UploadResult> {
  signal.throwIfAborted();
  const options = retentionDays === undefined ? {} : { retentionDays };
  // the client reads its token and addresses from the environment when it is asked, not before
  const upload = new DefaultArtifactClient().uploadArtifact(name, [...files], root, options);
  try {
    const answer = await within(upload, timeoutMs, signal);
    if (answer === 'overdue') return failed('unavailable', `the upload of ${name} took more than ${timeoutMs} ms`);
    const { id, size, digest } = answer;
    if (id === undefined || digest === undefined) return failed('unavailable', `the upload of ${name} gave no id`);
    return { status: 'uploaded', id, name, bytes: size ?? 0, sha256: digest, files: files.length };
  } catch (error) {
    signal.throwIfAborted();
    return explain(error);
  }
}

async function within<T>(promise: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T | 'overdue'> {
  const settled = new AbortController();
  try {
    return await Promise.race([
      promise,
      delay(timeoutMs, 'overdue' as const, { signal: AbortSignal.any([signal, settled.signal]) }),
    ]);
  } finally {
    settled.abort();
    // a client that is no longer waited for may still fail
    promise.catch(() => undefined);
  }
}

/** The client tells the answer's status in its message only. */
function explain(error: unknown): ApiFailure {
  const reason = describeError(error);
  if (reason.includes('storage quota')) return failed('denied', reason);
  if (reason.includes('(409)')) return failed('conflict', reason);
  if (/\((?:401|403)\)/.test(reason)) return failed('denied', reason);
  if (/is not valid|\(400\)|\(422\)/.test(reason)) return failed('invalid', reason);
  return failed('unavailable', reason);
}

async function regularFilesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
