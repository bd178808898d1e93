import { chmod, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunner } from '../../../src/process/runner.ts';
import { kindAvailability } from '../../../src/providers/kind/availability.ts';
import { askDocker, createDocker } from '../../../src/providers/kind/docker.ts';
import { defaultNodeImage, nodeImages } from '../../../src/providers/kind/kind-release.ts';
import { createKindProvider, type KindProviderOptions } from '../../../src/providers/kind/provider.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docker-'));
});
afterEach(() => rm(folder, { recursive: true }));

const runner = createRunner({ log: () => undefined });
const { signal } = new AbortController();

/** A `docker` on PATH, in place of the command: what a daemon answers is the door here. */
async function commandThat(script: string): Promise<NodeJS.ProcessEnv> {
  await writeFile(join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}:/usr/bin:/bin`, DOCKER_HOST: `unix://${folder}/docker.sock` };
}
const silent = `echo '{"Client":{"Version":"28"},"Server":null}'; echo 'Cannot connect.' >&2; exit 1`;
const ask = (environment: NodeJS.ProcessEnv) => askDocker(createDocker(runner, environment), environment, signal);

test('a missing docker command is told from a missing daemon', async () => {
  const environment = { PATH: folder };
  expect(await ask(environment)).toMatchObject({ available: false, reason: 'the docker command is not installed' });
});

test('no daemon behind the socket: to be started', async () => {
  const environment = await commandThat(silent);
  expect(await ask(environment)).toMatchObject({
    available: false,
    reason: `no Docker daemon runs behind ${folder}/docker.sock`,
    remedy: expect.stringContaining('systemctl start docker') as string,
  });
});

test('a socket that nobody listens at any more is no daemon either', async () => {
  const environment = await commandThat(silent);
  const server = createServer().listen(join(folder, 'listening.sock'));
  await once(server, 'listening');
  // closing would remove the socket's file, which a killed daemon leaves behind
  await rename(join(folder, 'listening.sock'), join(folder, 'docker.sock'));
  server.close();
  expect(await ask(environment)).toMatchObject({ reason: expect.stringContaining('no Docker daemon runs') as string });
});

const isRoot = process.getuid?.() === 0;
const why = isRoot ? ' (skipped: root may use any socket)' : '';
test.skipIf(isRoot)(`a socket that this user may not use: the group, not the daemon${why}`, async () => {
  const environment = await commandThat(silent);
  const server = createServer().listen(join(folder, 'docker.sock'));
  await once(server, 'listening');
  await chmod(join(folder, 'docker.sock'), 0o000);
  expect(await ask(environment)).toMatchObject({
    reason: expect.stringContaining('may not use the Docker socket') as string,
    remedy: expect.stringContaining('group docker') as string,
  });
  server.close();
});

test('a daemon that answers is known by its version and architecture, a Windows one is none', async () => {
  const server = (os: string) => `echo '{"Server":{"Version":"28.2.2","Os":"${os}","Arch":"amd64"}}'`;
  expect(await ask(await commandThat(server('linux')))).toEqual({
    available: true,
    version: '28.2.2',
    architecture: 'amd64',
  });
  expect(await ask(await commandThat(server('windows')))).toMatchObject({ available: false });
});

test('an answer that is no JSON is no daemon', async () => {
  expect(await ask(await commandThat('echo json'))).toMatchObject({ available: false });
});

test('without kind and a way to get it kind is unavailable, and asking for it changes nothing', async () => {
  const environment = await commandThat(`echo '{"Server":{"Version":"28.2.2","Os":"linux","Arch":"amd64"}}'`);
  const lookup = { environment, cacheFolder: join(folder, 'cache'), downloads: 'http://127.0.0.1:9' };
  const ask = (more: object) =>
    kindAvailability(createDocker(runner, environment), { ...lookup, ...more }, ['own/node:1'], signal);
  expect(await ask({})).toMatchObject({
    available: false,
    reason: expect.stringMatching(/can't be downloaded: /) as string,
  });
  expect(await ask({ kindPath: '/nowhere/kind' })).toMatchObject({ available: false, reason: '/nowhere/kind is none' });
  await symlink(process.execPath, join(folder, 'kind'));
  expect(await ask({})).toMatchObject({ available: true });
});

test('no image that a node could run makes kind unavailable', async () => {
  const environment = await commandThat(`
    case "$1" in
      version) echo '{"Server":{"Version":"28.2.2","Os":"linux","Arch":"amd64"}}' ;;
      image) [ "$2" = ls ] || exit 1 ;;
      manifest) echo 'no such host' >&2; exit 1 ;;
    esac`);
  await symlink(process.execPath, join(folder, 'kind'));
  const lookup = { environment, cacheFolder: join(folder, 'cache') };
  const found = await kindAvailability(createDocker(runner, environment), lookup, ['own/node:1'], signal);
  expect(found).toMatchObject({
    available: false,
    reason: expect.stringMatching(/own\/node:1.*no such host/) as string,
  });
});

/** A daemon that has only these images, behind which no registry answers; and a kind. */
async function machineWith(...images: readonly string[]) {
  const present = images.map((name) => `[ "$5" = ${name} ] && exit 0`).join('; ') || ':';
  const environment = await commandThat(`
    case "$1" in
      version) echo '{"Server":{"Version":"28.2.2","Os":"linux","Arch":"amd64"}}' ;;
      image) if [ "$2" = ls ]; then printf '%s\\n' ${images.join(' ')}; else ${present}; exit 1; fi ;;
      manifest) echo 'no such host' >&2; exit 1 ;;
    esac`);
  await symlink(process.execPath, join(folder, 'kind'));
  const availability = (options: Partial<KindProviderOptions> = {}, more: NodeJS.ProcessEnv = {}) =>
    createKindProvider({
      runner,
      tool: { version: '0', commit: 'none', dirty: false },
      probeBundle: 'none',
      stateFolder: join(folder, 'state'),
      cacheFolder: join(folder, 'cache'),
      notice: () => undefined,
      environment: { ...environment, ...more },
      ...options,
    }).availability(signal);
  return availability;
}

test('a node image that nobody named is not taken, though it is the only one present: it is advised', async () => {
  const availability = await machineWith('own/node:1');
  expect(await availability()).toMatchObject({
    available: false,
    reason: expect.stringContaining(defaultNodeImage) as string,
    remedy: expect.stringContaining('own/node:1') as string,
  });
});

test('the image that the run, else the environment, names is the one that is judged', async () => {
  const availability = await machineWith('own/node:1');
  const present = { available: true, detail: expect.stringContaining('node image own/node:1') as string };
  expect(await availability({ nodeImage: 'own/node:1' })).toMatchObject(present);
  expect(await availability({}, { TESTBED_NODE_IMAGE: 'own/node:1' })).toMatchObject(present);
  expect(await availability({ nodeImage: 'own/node:2' }, { TESTBED_NODE_IMAGE: 'own/node:1' })).toMatchObject({
    available: false,
    reason: expect.stringContaining('own/node:2') as string,
  });
});

test('each version that the run asks for needs its image', async () => {
  const availability = await machineWith(nodeImages['1.34.0'] ?? '');
  expect(await availability({ kubernetesVersions: ['1.34.0'] })).toMatchObject({ available: true });
  expect(await availability({ kubernetesVersions: ['1.34.0', '1.35'] })).toMatchObject({
    available: false,
    reason: expect.stringContaining('v1.35.') as string,
  });
});
