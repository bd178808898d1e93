import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { describeError, requirementError } from '../domain/errors.ts';
import { nativeFileFor, platformName, type NativeFile } from './native-manifest.ts';

const decompress = promisify(brotliDecompress);

/**
 * The path of this machine's native library, unpacked once and found again later: a file of this user alone, in the
 * runner's temporary folder where there is one, whose content was checked this time too.
 *
 * @throws {ActionableError} of kind `requirement` where none is shipped for this machine, or what is shipped is damaged.
 */
export async function nativeLibrary(folder: string, temporaryFolder = temporary()): Promise<string> {
  const native = await nativeFileFor(folder, platformName());
  const home = await privateFolder(temporaryFolder, `drainwatch-canvas-${native.sha256.slice(0, 16)}`);
  const path = join(home, 'canvas.node');
  if (await isIntact(path, native)) return path;
  // another process may do the same now: each writes a file of its own, and the last one's stays
  const part = join(home, `${randomUUID()}.part`);
  try {
    await writeFile(part, await unpack(folder, native), { flag: 'wx', mode: 0o600 });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
  return path;
}

/** On a runner this folder is emptied after the job; elsewhere it is the system's. */
const temporary = (): string => process.env.RUNNER_TEMP ?? tmpdir();

async function unpack(folder: string, { file, sha256 }: NativeFile): Promise<Buffer> {
  const path = join(folder, file);
  const damaged = (found: string, error?: unknown) =>
    requirementError(
      { expected: `${path} as it was built`, found, remedy: 'restore the folder from the release' },
      error,
    );
  let content: Buffer;
  try {
    content = await decompress(await readFile(path));
  } catch (error) {
    throw damaged(describeError(error), error);
  }
  if (digest(content) !== sha256) throw damaged('its content has another checksum');
  return content;
}

/**
 * A folder that only this user can write to. One of that name may be someone else's, put there for us to load: then a new
 * one is made, under a name that nobody could know.
 */
async function privateFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  // whatever is there already is looked at next
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!isNodeError(error) || error.code !== 'EEXIST') throw unwritable(parent, error);
  });
  return (await isPrivate(path)) ? path : mkdtemp(`${path}-`);
}

const isNodeError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;

const unwritable = (folder: string, error: unknown) =>
  requirementError(
    {
      expected: `${folder} can be written, to unpack what draws pictures`,
      found: describeError(error),
      remedy: 'name another folder in RUNNER_TEMP or TMPDIR',
    },
    error,
  );

async function isPrivate(path: string): Promise<boolean> {
  const found = await lstat(path);
  // no other platform with users has a library
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

async function isIntact(path: string, { bytes, sha256 }: NativeFile): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size !== bytes) return false;
  return digest(await readFile(path)) === sha256;
}

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
