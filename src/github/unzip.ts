import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { describeError } from '../domain/errors.ts';
import { oneLine } from './api-result.ts';
import { planUnzip, type PlannedFile, type UnzipLimits } from './zip-entry.ts';

export type UnzipResult =
  | { readonly status: 'unpacked'; readonly files: readonly string[]; readonly bytes: number }
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Unpacks an archive that nobody vouches for into a folder that does not exist yet. Nothing is written unless the whole
 * directory of the archive is acceptable, and nothing outside the folder in any case; after `refused` the folder may
 * hold a part and is to be thrown away.
 *
 * @throws the signal's reason when it is aborted, and the file system's own errors
 */
export async function unzip(
  archive: string,
  folder: string,
  limits: UnzipLimits,
  signal: AbortSignal,
): Promise<UnzipResult> {
  let zip: ZipFile | undefined;
  try {
    // strict names: yauzl itself refuses absolute paths, `..` and backslashes
    zip = await openPromise(archive, { autoClose: false, strictFileNames: true, validateEntrySizes: true });
    if (zip.entryCount > limits.entries) {
      return refuse(`it has ${zip.entryCount} entries, at most ${limits.entries} are taken`);
    }
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      entries.push(entry);
    }
    const plan = planUnzip(entries.map(factsOf), limits);
    if (plan.status === 'refused') return plan;
    await mkdir(folder);
    for (const file of plan.files) await extract(zip, entries, file, folder, signal);
    return { status: 'unpacked', files: plan.files.map(({ path }) => path), bytes: plan.bytes };
  } catch (error) {
    signal.throwIfAborted();
    if (isSystemError(error)) throw error;
    return refuse(describeError(error));
  } finally {
    zip?.close();
  }
}

const refuse = (reason: string): UnzipResult => ({
  status: 'refused',
  reason: oneLine(`the archive is refused: ${reason}`),
});

const factsOf = (entry: Entry) => ({
  fileName: entry.fileName,
  uncompressedSize: entry.uncompressedSize,
  externalFileAttributes: entry.externalFileAttributes,
  readable: entry.canDecodeFileData(),
});

async function extract(
  zip: ZipFile,
  entries: readonly Entry[],
  { index, path }: PlannedFile,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const entry = entries[index];
  if (entry === undefined) throw new Error(`no entry ${index}`);
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  let checksum = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      checksum = crc32(chunk, checksum);
      pass(null, chunk);
    },
  });
  // wx: never through something that is there already, be it a link
  await pipeline(await zip.openReadStreamPromise(entry), check, createWriteStream(target, { flags: 'wx' }), { signal });
  if (checksum !== entry.crc32) throw new Error(`the content of ${path} does not match its checksum`);
}

/** A disk that is full or a folder that may not be written is this machine's fault, not the archive's. */
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
