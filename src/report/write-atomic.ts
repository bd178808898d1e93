import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { harnessError } from '../domain/errors.ts';
import { codeOf } from './numbered-files.ts';

/** What a file system answers when it takes no more, or nothing at all (errno(3)). */
const refusals: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EROFS', 'the file system is read-only'],
  ['EIO', 'the device reports an error'],
  ['EFBIG', 'the file would be larger than allowed'],
  ['EMFILE', 'this process may open no more files (ulimit -n)'],
  ['ENFILE', 'this machine may open no more files'],
]);

/**
 * Writes a file whole or not at all: into a new file beside it, flushed to the disk, then renamed over the old one.
 * `FileHandle.writeFile` goes on after a short write, which is how a full disk is met; a single write would pass for
 * all of it.
 *
 * @throws {ActionableError} of kind `harness` when the file system refuses; the old file, if any, is untouched then.
 */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    const refusal = refusals.get(codeOf(error));
    if (refusal === undefined) throw error;
    throw harnessError(
      { expected: `${path} can be written`, found: refusal, remedy: 'mend that, then go on with: run --resume FOLDER' },
      error,
    );
  }
}
