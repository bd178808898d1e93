import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { storeRun } from './stored-run.ts';

/** The repository as `$/` actions see it: the scripts, and dist/ as the sources build it. */
function checkout(): string {
  const root = mkdtempSync(join(tmpdir(), 'drainwatch-scripts-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  cpSync('.github/scripts', join(root, '.github/scripts'), { recursive: true });
  cpSync('build/bundle', join(root, 'dist'), { recursive: true, filter: (path) => !path.endsWith('native') });
  return root;
}

const noOptions = { MATRIX: 'standard', SCENARIOS: '', PROXY_MODES: '', KUBERNETES_VERSIONS: '', REPEATS: '' };
const script = (root: string, name: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  execa(join(root, '.github/scripts', name), args, { cwd: root, reject: false, env: { ...noOptions, ...env } });

test('a workflow’s options become a plan, and words of a shell in them stay words', async () => {
  const root = checkout();
  const env = { SCENARIOS: 'drain\nignore', PROXY_MODES: 'iptables,nftables', REPEATS: '2' };
  const { stdout } = await script(root, 'with-matrix.sh', ['plan', '--json'], env);
  const plan = z
    .object({ trials: z.number(), shards: z.array(z.object({ name: z.string() })) })
    .parse(JSON.parse(stdout));
  expect(plan.trials).toBe(8);
  expect(plan.shards.map(({ name }) => name)).toEqual(['iptables', 'nftables']);
  const hostile = await script(root, 'with-matrix.sh', ['plan', '--json'], { SCENARIOS: '$(touch x); `touch y`' });
  expect(hostile.exitCode).toBe(2);
  expect(readdirSync(root).toSorted()).toEqual(['.github', 'dist']);
});

test('the artifacts of shards are merged; a missing one is an arm without a result, which is no failure here', async () => {
  const root = checkout();
  await storeRun(join(root, 'shards', 'drainwatch-shard-drain-attempt-1'), { scenario: 'drain' });
  const whole = { ...noOptions, SCENARIOS: 'exit-now,drain', REPEATS: '2' };
  const matrix = join(root, 'matrix.json');
  const stored = JSON.parse(readFileSync(join(root, 'shards/drainwatch-shard-drain-attempt-1/run.json'), 'utf8')) as {
    matrix: object;
  };
  writeFileSync(matrix, JSON.stringify(stored.matrix));
  const { exitCode, stdout, stderr } = await script(root, 'merge-shards.sh', ['shards', 'merged'], {
    ...whole,
    MATRIX: 'matrix.json',
  });
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/1 discarded/);
  expect(readdirSync(join(root, 'merged'))).toContain('aggregate.json');
});

test('no shard at all, and shards of different experiments, fail', async () => {
  const root = checkout();
  mkdirSync(join(root, 'shards'));
  const none = await script(root, 'merge-shards.sh', ['shards', 'merged'], {});
  expect([none.exitCode, none.stdout]).toEqual([1, expect.stringMatching(/^::error title=drainwatch::no job/)]);
  await storeRun(join(root, 'shards/a'), { scenario: 'drain' });
  await storeRun(join(root, 'shards/b'), { scenario: 'exit-now', manifest: { provider: 'kubeconfig' } });
  const mixed = await script(root, 'merge-shards.sh', ['shards', 'merged'], {});
  expect(mixed.exitCode).toBe(2);
});

/** A repository to push to, and runs to be kept in it. */
async function history() {
  const root = checkout();
  await execa('git', ['init', '--quiet', '--bare', join(root, 'remote.git')]);
  const remote = `file://${join(root, 'remote.git')}`;
  const run = (name: string, content = '{}') => {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'aggregate.json'), JSON.stringify({ run: name, content }));
    writeFileSync(join(folder, 'trials.csv'), 'trial,metric\n');
    return folder;
  };
  const publish = (folder: string) =>
    script(root, 'publish-history.sh', [folder], { HISTORY_REMOTE: remote, HISTORY_BRANCH: 'history' });
  const files = async () =>
    (
      await execa('git', ['--git-dir', join(root, 'remote.git'), 'ls-tree', '-r', '--name-only', 'history'])
    ).stdout.split('\n');
  return { root, run, publish, files };
}

test('each run is added to the history once, on a branch without a parent', async () => {
  const { run, publish, files } = await history();
  const first = await publish(run('run-1'));
  expect(first.exitCode, first.stderr).toBe(0);
  expect((await publish(run('run-2'))).exitCode).toBe(0);
  expect((await publish(run('run-1'))).stdout).toContain('is there already');
  expect(await files()).toEqual(['runs/run-1.csv', 'runs/run-1.json', 'runs/run-2.csv', 'runs/run-2.json']);
});

test('writers at the same time each get their turn', async () => {
  const { run, publish, files } = await history();
  const names = ['a', 'b', 'c'].map((letter) => `run-${letter}`);
  const results = await Promise.all(names.map((name) => publish(run(name))));
  expect(
    results.map(({ exitCode }) => exitCode),
    results.map(({ stderr }) => stderr).join(),
  ).toEqual([0, 0, 0]);
  expect((await files()).filter((path) => path.endsWith('.json'))).toEqual(names.map((name) => `runs/${name}.json`));
});

test('a run’s name leads nowhere else, and a repository that can’t be reached is told of', async () => {
  const { root, run, publish } = await history();
  const folder = run('evil');
  writeFileSync(join(folder, 'aggregate.json'), JSON.stringify({ run: '../../evil' }));
  expect((await publish(folder)).exitCode).toBe(1);
  const env = { HISTORY_REMOTE: 'file:///nowhere', HISTORY_BRANCH: 'history' };
  const failed = await script(root, 'publish-history.sh', [run('run-1')], env);
  expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringContaining('/nowhere')]);
});

test('scripts are clean for shellcheck, where it is installed', async (context) => {
  const { exitCode, stdout, code } = await execa(
    'shellcheck',
    readdirSync('.github/scripts').map((name) => resolve('.github/scripts', name)),
    { reject: false },
  );
  if (code === 'ENOENT') context.skip('shellcheck is not installed');
  expect(exitCode, stdout).toBe(0);
});
