import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requirementError } from '../../domain/errors.ts';
import type { Runner } from '../../process/runner.ts';
import { createDocker, type Docker } from './docker.ts';
import { sharedObjects } from './shared-objects.ts';
import { whatFailed } from '../../process/command-failure.ts';

export interface ProbeImageOptions {
  readonly runner: Runner;
  /** The built probe, one file, an ES module; beside it `agent.js`, the client that `dial` starts. */
  readonly probeBundle: string;
  readonly nodeBinary?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

export interface ProbeImage {
  /** `drainwatch-probe:<content hash>` */
  readonly reference: string;
  /** The image's id, `sha256:…`. */
  readonly id: string;
}

/** Part of the content hash: to be changed with anything in here that changes the image. */
const recipe = 'import-2';
/** A user that exists on no node: nobody's files are its own. */
const user = '65532';
const bundlePath = '/probe.mjs';
const agentPath = '/agent.mjs';

/**
 * Builds the probe's image from what is on this machine, without any pull: the Node binary that runs this, the shared
 * objects that it links, and the bundle. The tag names the content, so that an unchanged image is not built again.
 *
 * The image is made by `docker import`, not `docker build`: an import has no builder to choose (legacy, BuildKit, or
 * a remote default builder that keeps its result to itself), no frontend to pull, and adds no attestations that
 * would make the image a list that nodes can't load.
 * @throws {ActionableError} of kind `requirement` off Linux, or when the image does not run.
 */
export async function buildProbeImage(options: ProbeImageOptions, signal: AbortSignal): Promise<ProbeImage> {
  const { runner, probeBundle, nodeBinary = process.execPath, environment = process.env } = options;
  if (process.platform !== 'linux') {
    throw requirementError({
      expected: 'the probe image is made on Linux, from the Node binary that runs this',
      found: `this runs on ${process.platform}`,
      remedy: 'run it on Linux, or measure an existing cluster with a published probe image',
    });
  }
  const docker = createDocker(runner, environment);
  const node = await realpath(nodeBinary);
  // exit code 1 is ldd's word for a static binary
  const { stdout } = await runner.run('ldd', [node], { signal, okExitCodes: [0, 1] });
  const libraries = sharedObjects(stdout);
  const agentBundle = join(dirname(probeBundle), 'agent.js');
  const parts = [node, ...libraries, probeBundle, agentBundle];
  const reference = `drainwatch-probe:${await contentHash(parts, signal)}`;
  const present = await idOf(docker, reference, signal);
  if (present !== undefined) return { reference, id: present };

  const folder = await mkdtemp(join(tmpdir(), 'drainwatch-probe-'));
  try {
    const root = join(folder, 'root');
    for (const path of [node, ...libraries]) await place(path, join(root, path));
    await place(probeBundle, join(root, bundlePath));
    await place(agentBundle, join(root, agentPath));
    await strip(runner, join(root, node), signal);
    await openFolders(root);
    const archive = join(folder, 'image.tar');
    await runner.run('tar', ['-C', root, '-cf', archive, '.'], { signal });
    const changes = [
      `USER ${user}`,
      `ENTRYPOINT ${JSON.stringify([node, bundlePath])}`,
      // libraries outside the loader's own folders were found through a cache that the image lacks
      ...(libraries.length === 0 ? [] : [`ENV LD_LIBRARY_PATH=${[...new Set(libraries.map(dirname))].join(':')}`]),
    ];
    const { stdout: id } = await docker(['import', ...changes.flatMap((change) => ['--change', change]), archive], {
      signal,
    });
    await proveThatItRuns(docker, id, node, signal);
    // named last: whatever bears the name was proven, however this run ends
    await docker(['tag', id, reference], { signal });
    return { reference, id };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function contentHash(files: readonly string[], signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256').update(`${recipe}\0${user}\0`);
  for (const file of files) hash.update(`${file}\0`).update(await readFile(file, { signal }));
  return hash.digest('hex').slice(0, 16);
}

async function idOf(docker: Docker, reference: string, signal: AbortSignal): Promise<string | undefined> {
  const inspect = ['image', 'inspect', '--format', '{{.Id}}', reference];
  const { stdout, exitCode } = await docker(inspect, { signal, okExitCodes: [0, 1] });
  return exitCode === 0 ? stdout : undefined;
}

/** Copies what the path leads to, readable and executable by any user. */
async function place(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target);
  await chmod(target, 0o755);
}

/** A folder that was made under a strict umask would be closed to the image's user. */
async function openFolders(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  for (const path of [root, ...folders.map((entry) => join(entry.parentPath, entry.name))]) await chmod(path, 0o755);
}

/** Symbols are a fifth of some Node binaries. A binary that can't be stripped, or gains nothing, stays as it is. */
async function strip(runner: Runner, binary: string, signal: AbortSignal): Promise<void> {
  const stripped = `${binary}.stripped`;
  try {
    await runner.run('strip', ['-o', stripped, binary], { signal });
    if ((await stat(stripped)).size < (await stat(binary)).size) await place(stripped, binary);
  } catch {
    signal.throwIfAborted();
  } finally {
    await rm(stripped, { force: true });
  }
}

/** A missing library shows here in one line, and not as a pod that never gets ready. */
async function proveThatItRuns(docker: Docker, id: string, node: string, signal: AbortSignal): Promise<void> {
  try {
    const run = ['run', '--rm', '--network', 'none', '--entrypoint', node, id];
    await docker([...run, '--check', bundlePath], { signal, timeoutMs: 60_000 });
  } catch (error) {
    signal.throwIfAborted();
    await docker(['image', 'rm', '--force', id]);
    throw requirementError(
      {
        expected: 'the Node binary of this machine runs in an image of it and its shared objects',
        found: whatFailed(error),
        remedy: 'use an official Node build for this machine, on a Docker daemon of the same architecture',
      },
      error,
    );
  }
}
