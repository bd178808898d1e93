import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inputError } from '../domain/errors.ts';

export interface NumberedFile {
  readonly path: string;
  /** What stands before the number, without the hyphen; empty for a bare number. */
  readonly stem: string;
  readonly number: number;
}

/** Two digits at least, so that a listing of up to 99 is in order. */
export const numbered = (number: number): string => String(number).padStart(2, '0');

const form = /^(?:(?<stem>.+)-)?(?<number>\d+)\.json$/;

/**
 * The files `[<stem>-]<number>.json` of a folder, by stem and number; none where the folder doesn't exist. What a killed
 * write left (it ends in digits, not in `.json`) is not among them.
 *
 * @throws {ActionableError} of kind `input` for any other `.json`: nothing that may be data is passed over.
 */
export async function numberedFiles(folder: string): Promise<readonly NumberedFile[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json'));
  const files = names.map((name) => {
    const { stem = '', number } = form.exec(name)?.groups ?? {};
    const path = join(folder, name);
    if (number === undefined) throw strayFile(path);
    return { path, stem, number: Number(number) };
  });
  return files.toSorted((a, b) => compare(a.stem, b.stem) || a.number - b.number);
}

/** Names in a folder, in order and without hidden ones; none where the folder doesn't exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted(compare);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') throw strayFile(folder);
    throw error;
  }
}

/** The operating system's error code, as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** @returns an error of kind `input` for a file that no run writes there. */
export const strayFile = (path: string) =>
  inputError({
    expected: 'only numbered files, such as 01.json',
    found: `${path} is no file that a run writes there`,
    remedy: 'move it out of the run folder',
  });
