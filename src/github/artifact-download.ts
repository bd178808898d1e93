import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { defaults } from '@actions/github/lib/utils';
import { z } from 'zod';
import { describeError } from '../domain/errors.ts';
import type { Api } from './api.ts';
import { done, failed, quoted, type ApiFailure, type ApiResult } from './api-result.ts';
import { artifactsOf, type Artifact } from './artifact-list.ts';
import { unzip } from './unzip.ts';
import type { UnzipLimits } from './zip-entry.ts';

export interface DownloadRequest {
  /** The run that the artifact must belong to. */
  readonly runId: number;
  readonly name: string;
  /** Absent or empty; it holds all of the artifact or nothing. */
  readonly folder: string;
  readonly limits?: Partial<DownloadLimits>;
}

export interface DownloadLimits extends UnzipLimits {
  /** Of the archive itself, packed. */
  readonly archiveBytes: number;
  /** For the archive's bytes, all together. Milliseconds. */
  readonly timeoutMs: number;
}

/** Generous for a full matrix: some 100 trials of 1 MB, charts and a report. */
export const defaultDownloadLimits: DownloadLimits = {
  entries: 5000,
  bytes: 512 * 1024 * 1024,
  archiveBytes: 128 * 1024 * 1024,
  timeoutMs: 300_000,
};

export type DownloadResult =
  | {
      readonly status: 'downloaded';
      readonly id: number;
      readonly folder: string;
      readonly files: readonly string[];
      readonly bytes: number;
    }
  /** The artifact is there and is not to be trusted with this machine. */
  | { readonly status: 'refused'; readonly reason: string }
  | ApiFailure;

/** octokit's own fetch goes through the runner's proxy. It is called without the token, which the store must not see. */
const proxiedFetch = z.custom<typeof fetch>((value) => typeof value === 'function').parse(defaults.request?.fetch);

/**
 * Downloads an artifact of another run and unpacks it as hostile input. The artifact client's own download is not used:
 * it unpacks without a limit and without judging what kind of file an entry is.
 *
 * @throws the signal's reason when it is aborted, and the file system's own errors
 */
export async function downloadArtifact(
  api: Api,
  request: DownloadRequest,
  signal: AbortSignal,
): Promise<DownloadResult> {
  const limits = { ...defaultDownloadLimits, ...request.limits };
  const artifact = await findArtifact(api, request, signal);
  if (artifact.status !== 'ok') return artifact;
  const { id, size_in_bytes: size, digest } = artifact.value;
  if (size > limits.archiveBytes)
    return refuse(`its archive has ${size} bytes, at most ${limits.archiveBytes} are taken`);
  const folder = resolve(request.folder);
  // beside the target, so that the last step is one rename within a file system
  const staging = await mkdtemp(`${folder}.partial-`);
  try {
    const archive = join(staging, 'archive.zip');
    const saved = await fetchArchive(api, id, archive, limits, signal);
    if (saved.status !== 'saved') return saved;
    if (typeof digest === 'string' && digest !== `sha256:${saved.sha256}`) {
      return refuse(`its archive has the SHA-256 ${saved.sha256}, the API says ${quoted(digest)}`);
    }
    const content = join(staging, 'content');
    const unpacked = await unzip(archive, content, limits, signal);
    if (unpacked.status === 'refused') return unpacked;
    await rename(content, folder);
    return { status: 'downloaded', id, folder, files: unpacked.files, bytes: unpacked.bytes };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

const refuse = (reason: string): DownloadResult & { readonly status: 'refused' } => ({
  status: 'refused',
  reason: `the artifact is refused: ${reason}`,
});

async function findArtifact(
  api: Api,
  { runId, name }: DownloadRequest,
  signal: AbortSignal,
): Promise<ApiResult<Artifact>> {
  const listed = await artifactsOf(api, runId, name, signal);
  if (listed.status !== 'ok') return listed;
  const newest = listed.value.filter((artifact) => artifact.name === name).at(-1);
  if (newest === undefined) return failed('not-found', `run ${runId} has no artifact ${quoted(name)}`);
  return newest.expired ? failed('not-found', `artifact ${quoted(name)} of run ${runId} has expired`) : done(newest);
}

type Saved = { readonly status: 'saved'; readonly sha256: string } | Exclude<DownloadResult, { status: 'downloaded' }>;

const mostAttempts = 3;

/** Each attempt asks for a new address: GitHub's are valid for one minute. */
async function fetchArchive(
  api: Api,
  id: number,
  path: string,
  limits: DownloadLimits,
  signal: AbortSignal,
): Promise<Saved> {
  for (let attempt = 1; ; attempt++) {
    const address = await api.redirect(
      {
        route: 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
        parameters: { artifact_id: id, archive_format: 'zip' },
        repeatable: true,
      },
      signal,
    );
    if (address.status !== 'ok') return address;
    const saved = await save(address.value, path, limits, signal);
    if (saved.status !== 'unavailable' || attempt === mostAttempts) return saved;
    await rm(path, { force: true });
  }
}

async function save(url: string, path: string, limits: DownloadLimits, signal: AbortSignal): Promise<Saved> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const response = await proxiedFetch(url, { signal: either });
    if (!response.ok || response.body === null) {
      return failed('unavailable', `the artifact store answered HTTP ${response.status}`);
    }
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, pass) {
        bytes += chunk.length;
        hash.update(chunk);
        pass(bytes > limits.archiveBytes ? new TooLargeError() : null, chunk);
      },
    });
    await pipeline(response.body, meter, createWriteStream(path, { flags: 'wx' }), { signal: either });
    return { status: 'saved', sha256: hash.digest('hex') };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return failed('unavailable', `the artifact took more than ${limits.timeoutMs} ms`);
    if (error instanceof TooLargeError) return refuse(`its archive has more than ${limits.archiveBytes} bytes`);
    if (error instanceof Error && 'syscall' in error && 'path' in error) throw error;
    // the signed address is a secret: it is not in fetch's messages, and not in ours
    return failed('unavailable', `the artifact store could not be read: ${describeError(error)}`);
  }
}

class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}
