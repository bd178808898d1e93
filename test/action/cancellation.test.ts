import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeRunner } from './fake-runner.ts';
import { probesOf } from './probes.ts';
import { tinyRun } from './step.ts';

/** Two trials; the second is still settling when the signal comes. */
const longRun = { ...tinyRun, repeats: '2', settle: '3' };

const trialsIn = (workspace: string): readonly string[] => {
  const results = join(workspace, 'drainwatch-results');
  if (!existsSync(results)) return [];
  const trials = readdirSync(results).map((run) => join(results, run, 'trials', 'exit-now'));
  return trials.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [],
  );
};

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  '%s in the middle of a run: nothing goes on, and the post step saves what was measured',
  async (signal) => {
    const { results, github, job } = await fakeRunner();
    const running = job();
    const { kill, ended } = running.start('main', longRun);
    await expect.poll(() => trialsIn(running.workspace), { timeout: 30_000 }).toEqual(['01.json']);
    await expect.poll(() => probesOf(running.root), { timeout: 10_000 }).toHaveLength(1);
    kill(signal);
    const step = await ended;
    expect(step.exitCode).not.toBe(0);
    await expect.poll(() => probesOf(running.root), { timeout: 10_000 }).toEqual([]);
    expect(github.comments.stored).toEqual([]);
    expect(results.finished).toEqual([]);
    expect(step.state).toMatchObject({ started: 'true' });

    const post = await running.run('post', longRun, step.state);
    expect(post.exitCode, post.log).toBe(0);
    expect(post.commands('warning')).toEqual([]);
    expect(results.finished.map(({ name }) => name)).toEqual(['drainwatch-attempt-1']);
    const folder = step.state['report-folder'] ?? '';
    expect(readFileSync(join(folder, 'aggregate.json'), 'utf8')).toContain('"discarded"');
  },
);

test('after a run that ended by itself the post step has nothing to save', async () => {
  const { results, job } = await fakeRunner();
  const running = job();
  const step = await running.run('main', tinyRun);
  const post = await running.run('post', tinyRun, step.state);
  expect(post.exitCode, post.log).toBe(0);
  expect(results.finished).toHaveLength(1);
});

test('where the main step never ran, the post step does nothing', async () => {
  const { job } = await fakeRunner();
  const post = await job().run('post', tinyRun);
  expect({ exitCode: post.exitCode, log: post.log }).toEqual({ exitCode: 0, log: '' });
});

test('a cluster that a killed run left is deleted, and its logs are in the artifact', async () => {
  const { sink, results, job } = await fakeRunner();
  const running = job();
  const state = join(running.root, 'home', '.local', 'state', 'drainwatch');
  const bin = join(running.root, 'bin');
  for (const folder of [state, bin]) mkdirSync(folder, { recursive: true });
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const owner = { pid: process.pid, startTicks: '1', bootId };
  const left = {
    schemaVersion: 1,
    cluster: 'drainwatch-0000dead',
    createdAt: new Date().toISOString(),
    owner,
    kind: null,
  };
  writeFileSync(join(state, 'drainwatch-0000dead.json'), JSON.stringify(left));
  const program = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program(
    'docker',
    `[ "$1" = ps ] && cat ${bin}/containers 2>/dev/null; [ "$1" = rm ] && rm ${bin}/containers; exit 0`,
  );
  program('kind', '[ "$1 $2" = "export logs" ] && mkdir -p "$3" && echo kubelet > "$3/kubelet.log"; exit 0');
  writeFileSync(join(bin, 'containers'), 'abc\n');

  const { kill, ended } = running.start('main', longRun);
  await expect.poll(() => trialsIn(running.workspace), { timeout: 30_000 }).toEqual(['01.json']);
  kill('SIGKILL');
  const step = await ended;
  const post = await running.run('post', { ...longRun, 'kind-path': join(bin, 'kind') }, step.state, {
    PATH: `${bin}:/usr/bin:/bin`,
  });
  expect(post.exitCode, post.log).toBe(0);
  expect(existsSync(join(bin, 'containers'))).toBe(false);
  expect(readdirSync(state)).toEqual([]);
  const folder = step.state['report-folder'] ?? '';
  expect(readdirSync(join(folder, 'cluster-logs', 'drainwatch-0000dead'))).toEqual(['kubelet.log']);
  expect(results.finished).toHaveLength(1);
  expect(sink.archive('drainwatch-attempt-1')?.includes('cluster-logs/drainwatch-0000dead/kubelet.log')).toBe(true);
});

test('a kubeconfig given as content is for this job only, and its secrets are masked', async () => {
  const { job } = await fakeRunner();
  const running = job();
  const kubeconfig = JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 'very-secret-token', 'client-key-data': 'c2VjcmV0LWtleQ==' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
  const inputs = { ...tinyRun, provider: 'auto', kubeconfig, 'probe-image': 'probe:1' };
  const step = await running.run('main', inputs);
  expect(step.exitCode).toBe(1);
  expect(step.commands('error')[0]?.data).toContain('provider kubeconfig can work here');
  expect(step.commands('add-mask').map(({ data }) => data)).toEqual(
    expect.arrayContaining(['ghs_workflow', 'very-secret-token', 'c2VjcmV0LWtleQ==']),
  );
  const withoutMasks = step.log
    .split('\n')
    .filter((line) => !line.startsWith('::add-mask::'))
    .join('\n');
  expect(withoutMasks).not.toMatch(/very-secret-token|c2VjcmV0LWtleQ/);
  expect(JSON.stringify(step.outputs) + step.summary).not.toMatch(/very-secret-token/);
  const folder = step.state['kubeconfig-folder'] ?? '';
  expect(existsSync(join(folder, 'config'))).toBe(true);
  const post = await running.run('post', inputs, step.state);
  expect(post.exitCode, post.log).toBe(0);
  expect(existsSync(folder)).toBe(false);
});
