import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
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

/** What was written, to be named where the file is. */
export interface Written {
  readonly bytes: number;
  /** Of the content, hexadecimal. */
  readonly sha256: string;
}

/** Text is gathered up to this many characters before it is written: one call for many rows. */
const pieceLength = 1 << 16;

/**
 * A file that comes to be whole or not at all: written beside its place piece by piece, flushed to the disk, then renamed
 * over the old one. Disposed of before `commit`, it leaves nothing, and the old file, if any, untouched.
 */
export class AtomicFile implements AsyncDisposable {
  readonly #path: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #pending = '';
  #bytes = 0;
  #isOpen = true;

  private constructor(path: string, temporary: string, handle: FileHandle) {
    this.#path = path;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** @throws {ActionableError} of kind `harness` when the file system refuses, as the other methods do. */
  static async create(path: string): Promise<AtomicFile> {
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    return new AtomicFile(path, temporary, await refusing(path, () => open(temporary, 'wx')));
  }

  async append(text: string): Promise<void> {
    this.#pending += text;
    if (this.#pending.length >= pieceLength) await refusing(this.#path, () => this.#flush());
  }

  async commit(): Promise<Written> {
    await refusing(this.#path, async () => {
      await this.#flush();
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#temporary, this.#path);
    });
    this.#isOpen = false;
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
    await rm(this.#temporary, { force: true });
  }

  async #flush(): Promise<void> {
    const piece = Buffer.from(this.#pending);
    this.#pending = '';
    this.#hash.update(piece);
    this.#bytes += piece.length;
    // it goes on after a short write, which is how a full disk is met; a single write would pass for all of it
    await this.#handle.writeFile(piece);
  }
}

/**
 * Writes a file whole or not at all.
 *
 * @throws {ActionableError} of kind `harness` when the file system refuses; the old file, if any, is untouched then.
 */
export async function writeAtomic(path: string, text: string): Promise<Written> {
  await using file = await AtomicFile.create(path);
  await file.append(text);
  return await file.commit();
}

async function refusing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusals.get(codeOf(error));
    if (refusal === undefined) throw error;
    throw harnessError(
      { expected: `${path} can be written`, found: refusal, remedy: 'mend that, then go on with: run --resume FOLDER' },
      error,
    );
  }
}
