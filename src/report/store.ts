import { mkdir, readFile, readdir, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describeError, inputError } from '../domain/errors.ts';
import { manifestSchema, type RunManifest } from './manifest.ts';
import { codeOf } from './numbered-files.ts';
import { parseJson } from './parse.ts';
import { RunFolder } from './run-folder.ts';
import { StoredRun } from './stored-run.ts';
import { writeJson } from './write-json.ts';

const manifestName = 'run.json';

/**
 * Makes the folder of a new run, its parents too, and writes the manifest. Leaves nothing behind when it can't.
 *
 * @throws {ActionableError} of kind `input` when the path is a file or a folder with something in it, or can't be written.
 */
export async function createRunFolder(path: string, manifest: RunManifest): Promise<RunFolder> {
  const folder = resolve(path);
  const present = await contents(folder);
  if (present !== undefined && present.length > 0) {
    const isRun = present.includes(manifestName);
    throw inputError({
      expected: 'a run starts in an empty or new folder',
      found: `${path} holds ${isRun ? 'another run' : 'other files'}`,
      remedy: isRun ? 'name another folder, or resume that run' : 'name another folder',
    });
  }
  const made: string[] = [];
  try {
    for (const missing of await missingFolders(folder)) {
      // one by one: a recursive mkdir of Node never ends where a file system has nothing to make, as below /proc
      await mkdir(missing);
      made.push(missing);
    }
    await writeJson(join(folder, manifestName), manifestSchema, manifest);
  } catch (error) {
    await removeFolders(made.toReversed());
    throw unwritable(path, error);
  }
  return new RunFolder(folder, manifest, [], made);
}

/**
 * Opens the folder of a run to go on with it. Every stored trial is read once, so that a broken one is met before
 * anything is measured.
 *
 * @throws {ActionableError} of kind `input` when it is no run folder, or a trial in it is broken.
 */
export async function openRunFolder(path: string): Promise<RunFolder> {
  const run = await openStoredRun(path);
  const completed: string[] = [];
  for await (const { trial } of run.readTrials()) completed.push(trial.id);
  return new RunFolder(run.path, run.manifest, completed);
}

/**
 * Opens the folder of a run to aggregate or report it. Its trials are not read yet: of ten thousand, once is enough.
 *
 * @throws {ActionableError} of kind `input` when it is no run folder.
 */
export async function openStoredRun(path: string): Promise<StoredRun> {
  const folder = resolve(path);
  const present = await contents(folder);
  if (present?.includes(manifestName) !== true) {
    throw inputError({
      expected: `the folder of a run, with a ${manifestName} in it`,
      found: present === undefined ? `${path} does not exist` : `${path} has no ${manifestName}`,
      remedy: 'name the folder that a run wrote to',
    });
  }
  const manifestPath = join(folder, manifestName);
  const manifest = parseJson(manifestSchema, await readFile(manifestPath, 'utf8'), {
    path: manifestPath,
    remedy: 'restore the file, or start a new run',
  });
  return new StoredRun(folder, manifest);
}

/** Undefined where nothing exists. */
async function contents(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) !== 'ENOTDIR') throw unwritable(folder, error);
    throw inputError(
      { expected: 'a folder', found: `${folder} is a file, or lies below one`, remedy: 'name another path' },
      error,
    );
  }
}

/** The folder and those of its parents that don't exist, the outermost first. */
async function missingFolders(folder: string): Promise<readonly string[]> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  return exists || dirname(folder) === folder ? [] : [...(await missingFolders(dirname(folder))), folder];
}

/** Removes what is empty: what someone else put there in between stays. */
async function removeFolders(innermostFirst: readonly string[]): Promise<void> {
  for (const folder of innermostFirst) await rmdir(folder).catch(() => undefined);
}

const unwritable = (path: string, error: unknown) =>
  inputError(
    {
      expected: 'a folder that can be read and written',
      found: `${path} can't be: ${describeError(error)}`,
      remedy: 'name another path, or change its permissions',
    },
    error,
  );
