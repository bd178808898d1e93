import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inputError, requirementError } from '../../domain/errors.ts';
import { downloadExecutable } from './kind-download.ts';
import { kindDownloads, kindRelease } from './kind-release.ts';

export interface KindLookup {
  /** A path that the user named: nothing else is used then. */
  readonly kindPath?: string | undefined;
  /** PATH is searched, then the folder that TESTBED_BIN names. */
  readonly environment: NodeJS.ProcessEnv;
  /** Where a download is kept, and found again. */
  readonly cacheFolder: string;
  readonly architecture?: string;
  /** The folder of releases; another one in tests. */
  readonly downloads?: string;
  /** What the downloaded file must be; another one in tests. */
  readonly binaries?: Readonly<Record<string, { readonly file: string; readonly sha256: string }>>;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** What would be downloaded; undefined where the release has no binary for this machine. */
export function kindDownload({ architecture = process.arch, downloads = kindDownloads, ...lookup }: KindLookup) {
  const binaries: Readonly<Record<string, { readonly file: string; readonly sha256: string }>> =
    lookup.binaries ?? kindRelease.binaries;
  const binary = binaries[architecture];
  if (binary === undefined || process.platform !== 'linux') return undefined;
  return {
    url: `${downloads}/${kindRelease.version}/${binary.file}`,
    sha256: binary.sha256,
    target: join(lookup.cacheFolder, `kind-${kindRelease.version}-${architecture}`),
  };
}

/**
 * A kind binary that is already here.
 * @throws {ActionableError} of kind `input` when the named path is not executable.
 */
export async function findKind(lookup: KindLookup): Promise<string | undefined> {
  const { kindPath, environment } = lookup;
  if (kindPath !== undefined) {
    if (await isExecutable(kindPath)) return kindPath;
    throw inputError({
      expected: 'the path of kind names an executable file',
      found: `${kindPath} is none`,
      remedy: 'correct the path, or leave it out to have kind found or downloaded',
    });
  }
  const folders = [...(environment.PATH ?? '').split(delimiter), environment.TESTBED_BIN ?? ''];
  for (const folder of folders) {
    if (folder !== '' && (await isExecutable(join(folder, 'kind')))) return join(folder, 'kind');
  }
  // a cache may be restored from anywhere: what it holds is believed no more than a download
  const download = kindDownload(lookup);
  if (download !== undefined && (await sha256Of(download.target)) === download.sha256) return download.target;
  return undefined;
}

/** @throws {ActionableError} of kind `input` for a wrong path, `requirement` when no kind can be had. */
export async function obtainKind(
  lookup: KindLookup,
  notice: (text: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const found = await findKind(lookup);
  if (found !== undefined) return found;
  const download = kindDownload(lookup);
  if (download === undefined) {
    throw requirementError({
      expected: 'a kind binary on PATH',
      found: `there is none, and none is pinned for ${process.platform} on ${lookup.architecture ?? process.arch}`,
      remedy: 'install kind',
    });
  }
  notice(`downloading kind ${kindRelease.version}`);
  await downloadExecutable(download, signal);
  return download.target;
}
