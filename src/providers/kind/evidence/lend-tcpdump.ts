import { chmod, copyFile, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createDocker } from '../docker.ts';
import { sharedObjects } from '../shared-objects.ts';
import type { DockerAccess } from './node-recording.ts';

const lentFolder = '/usr/local/lib/drainwatch-tcpdump';
const commandMs = 30_000;

/** The loader is asked for by name: the node's own may be of another C library than the program was linked with. */
const wrapper = (loader: string) => `#!/bin/sh
# as root: the user that a distribution's tcpdump would become is not known to the node
exec ${lentFolder}/${loader} --library-path ${lentFolder} ${lentFolder}/tcpdump -Z root "$@"
`;

/**
 * Gives a node that has no tcpdump, as kind's own images have none, that of this machine, with the shared objects that it
 * links. Does nothing where the node has one, or this machine has none.
 *
 * @throws {ActionableError} when a command fails
 */
export async function lendTcpdump(access: DockerAccess, node: string, signal: AbortSignal): Promise<void> {
  const { runner, environment } = access;
  const docker = createDocker(runner, environment);
  const options = { signal, timeoutMs: commandMs };
  const inNode = await docker(['exec', node, 'sh', '-c', 'command -v tcpdump'], {
    ...options,
    okExitCodes: [0, 1, 127],
  });
  if (inNode.exitCode === 0) return;
  const here = await runner.run('sh', ['-c', 'command -v tcpdump'], {
    ...options,
    env: environment,
    okExitCodes: [0, 1, 127],
  });
  if (here.exitCode !== 0) return;
  const program = await realpath(here.stdout);
  const libraries = sharedObjects((await runner.run('ldd', [program], options)).stdout);
  const loader = libraries.find((path) => /\/ld[^/]*\.so[^/]*$/.test(path));
  // a static program, which needs no loader, is not what distributions ship
  if (loader === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'drainwatch-tcpdump-'));
  try {
    await copyFile(program, join(folder, 'tcpdump'));
    for (const path of libraries) await copyFile(path, join(folder, basename(path)));
    const script = join(folder, 'wrapper');
    await writeFile(script, wrapper(basename(loader)));
    for (const name of ['tcpdump', basename(loader), 'wrapper']) await chmod(join(folder, name), 0o755);
    await docker(['exec', node, 'mkdir', '-p', lentFolder], options);
    await docker(['cp', `${folder}/.`, `${node}:${lentFolder}`], options);
    await docker(['exec', node, 'mv', `${lentFolder}/wrapper`, '/usr/local/bin/tcpdump'], options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
