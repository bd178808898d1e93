import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RawEvent } from '../../src/domain/event.ts';
import { identify, isAlive } from '../../src/process/process-identity.ts';
import { type CommandEntry, createRunner } from '../../src/process/runner.ts';
import { createKindProvider, type KindProviderOptions } from '../../src/providers/kind/provider.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const spec = { name: 'kind-test', workers: 1, nodeImage };
const docker = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8' });
const containersOf = (cluster: string) =>
  docker('ps', '--all', '--quiet', '--filter', `label=io.x-k8s.kind.cluster=${cluster}`)
    .stdout.split('\n')
    .filter((id) => id !== '');

const lack = lackOf('docker', 'node image', 'kind');

describe.skipIf(lack !== undefined)(titled('kind', lack), () => {
  let folder: string;
  let log: CommandEntry[];
  let notices: string[];
  const { signal } = new AbortController();

  const options = (): Omit<KindProviderOptions, 'runner' | 'notice'> => ({
    tool: { version: '0.0.0', commit: 'test', dirty: true },
    probeBundle: 'build/bundle/probe.js',
    stateFolder: join(folder, 'state'),
    cacheFolder: join(folder, 'cache'),
    nodeImage,
    environment,
  });
  const provider = (other?: NodeJS.ProcessEnv) =>
    createKindProvider({
      ...options(),
      ...(other !== undefined && { environment: other }),
      runner: createRunner({ log: (entry) => void log.push(entry) }),
      notice: (text) => void notices.push(text),
    });
  const stateFiles = () => (existsSync(join(folder, 'state')) ? readdirSync(join(folder, 'state')) : []);
  const clusters = () => stateFiles().flatMap((name) => /^(drainwatch-[\da-f]{8})\.json$/.exec(name)?.[1] ?? []);
  const creations = () => log.filter(({ argv }) => argv.includes('create'));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kind-test-'));
    log = [];
    notices = [];
  });
  afterEach(async () => {
    // whatever a failed test leaves goes with it
    const left = clusters().flatMap(containersOf);
    if (left.length > 0) docker('rm', '--force', '--volumes', ...left);
    await rm(folder, { recursive: true });
  });

  test('a cluster runs a workload on the probe image, and leaves neither container nor file', async () => {
    const kubeconfig = join(homedir(), '.kube', 'config');
    const before = existsSync(kubeconfig) ? readFileSync(kubeconfig, 'utf8') : undefined;
    expect(await provider().availability(signal)).toMatchObject({ available: true });
    const events: RawEvent[] = [];
    let name: string;
    {
      await using cluster = await provider().open({ ...spec, proxyMode: 'nftables' }, signal);
      name = cluster.name;
      expect(clusters()).toEqual([name]);
      expect(containersOf(name)).toHaveLength(2);
      const recorded = await cluster.environment(signal);
      expect(recorded.proxyMode).toEqual({ status: 'measured', value: 'nftables' });
      expect(recorded.nodeImage).toMatchObject({
        value: expect.stringMatching(/^\S+ sha256:[\da-f]{64}$/) as string,
      });
      expect(recorded.hostTools).toMatchObject({
        value: { kind: expect.stringContaining('kind v') as string, Docker: expect.stringMatching(/^\d/) as string },
      });
      expect(recorded.sysctls).toMatchObject({
        value: { 'net.netfilter.nf_conntrack_udp_timeout_stream': expect.stringMatching(/^\d+$/) as string },
      });
      const workload = { name: 'kind-test', behavior: 'exit-now', gracePeriodSeconds: 30, drainSeconds: 25 } as const;
      await using deployed = await cluster.deploy(workload, (event) => events.push(event), signal);
      await deployed.termination.deletePod(signal);
      await deployed.gone;
    }
    expect(events.map((event) => event.name)).toEqual(
      expect.arrayContaining(['sigterm-received', 'container-terminated']),
    );
    expect(containersOf(name)).toEqual([]);
    expect(stateFiles()).toEqual([]);
    expect(existsSync(kubeconfig) ? readFileSync(kubeconfig, 'utf8') : undefined).toBe(before);
  });

  test('a node image that does not exist is an input error of one line, before anything is made', async () => {
    const opening = provider().open({ ...spec, nodeImage: 'testbed.local/node:no-such-tag' }, signal);
    await expect(opening).rejects.toMatchObject({
      kind: 'input',
      message: expect.stringMatching(/^[^\n]+$/) as string,
    });
    expect(creations()).toEqual([]);
    expect(stateFiles()).toEqual([]);
  });

  test('a daemon that does not answer is an unmet requirement, before anything is made', async () => {
    const deaf = provider({ ...environment, DOCKER_HOST: `unix://${folder}/dead.sock` });
    await expect(deaf.open(spec, signal)).rejects.toMatchObject({ kind: 'requirement' });
    expect(await deaf.availability(signal)).toMatchObject({
      available: false,
      reason: expect.stringContaining('no Docker daemon runs') as string,
    });
    expect(stateFiles()).toEqual([]);
  });

  const mayHaveIpvs = existsSync('/sys/module/ip_vs') || existsSync('/proc/modules');
  test.skipIf(mayHaveIpvs)(
    `ipvs on a kernel without it names the module, before anything is made${mayHaveIpvs ? ' (skipped: the kernel may have it)' : ''}`,
    async () => {
      const opening = provider().open({ ...spec, proxyMode: 'ipvs' }, signal);
      await expect(opening).rejects.toMatchObject({
        kind: 'requirement',
        message: expect.stringContaining('ip_vs') as string,
      });
      expect(creations()).toEqual([]);
    },
  );

  describe('interrupted', () => {
    let script: string;
    /** A process of its own that opens a cluster, so that it can be ended as a run is. */
    beforeAll(async () => {
      script = join(await mkdtemp(join(tmpdir(), 'kind-owner-')), 'owner.mjs');
      const contents = `
        import { createRunner } from './src/process/runner.ts';
        import { createKindProvider } from './src/providers/kind/provider.ts';
        const [options, spec] = JSON.parse(process.argv[2]);
        const runner = createRunner({ log: () => undefined });
        const provider = createKindProvider({ ...options, runner, notice: () => undefined });
        const controller = new AbortController();
        process.on('SIGINT', () => controller.abort(new Error('SIGINT')));
        await provider.open(spec, controller.signal).then(
          () => { process.exitCode = 3; setInterval(() => undefined, 1000); },
          (error) => { console.log(error.message); process.exitCode = 130; });`;
      await build({
        stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
        outfile: script,
        bundle: true,
        platform: 'node',
        target: 'node20',
        format: 'esm',
        logLevel: 'error',
        banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
      });
    });
    afterAll(() => rm(dirname(script), { recursive: true }));

    async function until<T>(what: string, look: () => T | undefined): Promise<T> {
      for (let polls = 0; polls < 1200; polls++) {
        const found = look();
        if (found !== undefined) return found;
        await delay(50);
      }
      return expect.fail(`${what}: not within a minute`);
    }
    const stateForm = z.object({ kind: z.object({ pid: z.int().min(2) }).nullable() });
    async function startOwner() {
      const owner = spawn(process.execPath, [script, JSON.stringify([options(), spec])], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const cluster = await until('a state file', () => clusters()[0]);
      const kind = await until('the identity of kind', () => {
        const text = readFileSync(join(folder, 'state', `${cluster}.json`), 'utf8');
        const { kind } = stateForm.parse(JSON.parse(text));
        return kind === null ? undefined : identify(kind.pid);
      });
      return { owner, cluster, kind };
    }
    const firstContainer = (cluster: string) => until('a container', () => containersOf(cluster)[0]);

    test('SIGINT in the middle of a creation ends kind and deletes what it had made', async () => {
      const { owner, cluster, kind } = await startOwner();
      await firstContainer(cluster);
      const said = once(owner.stdout, 'data');
      const ended = once(owner, 'exit');
      owner.kill('SIGINT');
      expect(String(await said)).toBe('SIGINT\n');
      expect(await ended).toEqual([130, null]);
      expect(isAlive(kind)).toBe(false);
      expect(containersOf(cluster)).toEqual([]);
      expect(stateFiles()).toEqual([]);
    });

    test.each([
      ['before its first container', false],
      ['with a container', true],
    ])(
      'a run killed in the middle of a creation, %s, is cleaned up by the next, a living run is not',
      async (...row) => {
        const [, late] = row;
        const { owner, cluster, kind } = await startOwner();
        if (late) await firstContainer(cluster);
        expect(await provider().cleanStale(signal)).toEqual([]);
        expect(isAlive(kind)).toBe(true);
        const ended = once(owner, 'exit');
        owner.kill('SIGKILL');
        await ended;
        // kind may go on, or have ended itself on writing to a pipe that nobody reads any more
        expect(await provider().cleanStale(signal)).toEqual([cluster]);
        expect(isAlive(kind)).toBe(false);
        await delay(3000);
        expect(containersOf(cluster)).toEqual([]);
        expect(stateFiles()).toEqual([]);
        expect(notices).toEqual([expect.stringContaining(cluster)]);
      },
    );
  });
});
