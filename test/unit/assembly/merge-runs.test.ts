import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withAttempt } from '../../../src/assembly/attempts.ts';
import { mergeRuns } from '../../../src/assembly/merge-runs.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import type { Matrix } from '../../../src/domain/matrix.ts';
import { measured } from '../../../src/domain/measured.ts';
import type { RunManifest } from '../../../src/report/manifest.ts';
import { createRunFolder } from '../../../src/report/store.ts';
import { environment, exampleReport, manifest, matrix } from '../report/example-reports.ts';
import { folderSession } from '../../fixtures/session.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'merge-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const whole: Matrix = { ...matrix, scenarios: ['exit-now', 'drain'], repeats: 2 };

interface PartOptions {
  readonly scenario: string;
  readonly attempt?: number;
  readonly repeats?: readonly number[];
  readonly manifest?: Partial<RunManifest>;
  readonly conditions?: Partial<Matrix>;
  readonly environment?: Partial<Environment>;
}

/** A run of one scenario, as a job of a workflow leaves it. */
async function part(name: string, options: PartOptions): Promise<string> {
  const own: RunManifest = {
    ...manifest,
    matrix: { ...whole, scenarios: [options.scenario], ...options.conditions },
    ...options.manifest,
  };
  const folder = await createRunFolder(join(root, name), withAttempt(own, options.attempt ?? 1));
  for (const repeat of options.repeats ?? [1, 2]) {
    const report = exampleReport(repeat, options.scenario);
    await folder.writeTrial({ ...report, environment: { ...environment, ...options.environment } });
  }
  if (options.repeats?.length === 0) {
    await folder.writeFailure({
      trial: `${options.scenario}.iptables-01`,
      arm: `${options.scenario}.iptables`,
      reason: 'no pod',
    });
  }
  return folder.path;
}

const merge = (folders: readonly string[], named?: Matrix) =>
  mergeRuns(
    { folders, output: join(root, 'merged'), ...(named === undefined ? {} : { matrix: named }) },
    folderSession,
  );
const statuses = (arms: readonly { readonly arm: { readonly scenario: string }; readonly status: string }[]) =>
  arms.map(({ arm, status }) => `${arm.scenario} ${status}`);

test('shards of one matrix become one run with every arm of them', async () => {
  const { aggregate, folder } = await merge([
    await part('a', { scenario: 'exit-now' }),
    await part('b', { scenario: 'drain' }),
  ]);
  expect(statuses(aggregate.arms)).toEqual(['exit-now complete', 'drain complete']);
  expect(folder.manifest.matrix).toEqual(whole);
  expect([...folder.completed]).toHaveLength(4);
  expect(readdirSync(folder.path)).toEqual(expect.arrayContaining(['aggregate.json', 'table.txt', 'trials.csv']));
  expect(aggregate.wallSeconds.status).toBe('not-measured');
});

test('of several attempts at an arm the highest counts, and nothing of the others', async () => {
  const first = await part('first', { scenario: 'drain', repeats: [] });
  const second = await part('second', { scenario: 'drain', attempt: 2 });
  const other = await part('other', { scenario: 'exit-now' });
  const { aggregate, folder } = await merge([second, first, other], whole);
  expect(statuses(aggregate.arms)).toEqual(['exit-now complete', 'drain complete']);
  expect(aggregate.failedAttempts).toEqual([]);
  expect(folder.manifest.options).not.toHaveProperty('attempt');
});

test('an attempt that failed last is not made good by an earlier one', async () => {
  const first = await part('first', { scenario: 'drain' });
  const second = await part('second', { scenario: 'drain', attempt: 2, repeats: [] });
  const { aggregate } = await merge([first, second]);
  expect(aggregate.arms).toMatchObject([{ status: 'discarded', reason: expect.stringContaining('no pod') as string }]);
});

test('an arm of the named matrix that no folder has is discarded, never left out', async () => {
  const { aggregate } = await merge([await part('a', { scenario: 'drain' })], whole);
  expect(statuses(aggregate.arms)).toEqual(['exit-now discarded', 'drain complete']);
});

test('the same arm twice in one attempt is refused', async () => {
  const folders = [await part('a', { scenario: 'drain' }), await part('b', { scenario: 'drain' })];
  await expect(merge(folders)).rejects.toThrow(/has arm drain\.iptables, as .*\/a has; .*each arm in one folder/);
  expect(readdirSync(root)).not.toContain('merged');
});

test.each<[string, Omit<PartOptions, 'scenario'>, RegExp]>([
  ['repeats', { conditions: { repeats: 3 } }, /another matrix/],
  ['grace period', { conditions: { gracePeriodSeconds: 60 } }, /another matrix/],
  ['tool', { manifest: { tool: { ...environment.tool, commit: 'ffffff' } } }, /another tool/],
  ['provider', { manifest: { provider: 'kubeconfig' } }, /another provider/],
  ['CNI', { environment: { cni: measured('cilium') } }, /another CNI/],
  [
    'architecture',
    { environment: { client: { ...environment.client, architecture: 'arm64' } } },
    /another architecture/,
  ],
])('different experiments are not mixed: another %s', async (_, options, message) => {
  const folders = [await part('a', { scenario: 'exit-now' }), await part('b', { scenario: 'drain', ...options })];
  await expect(merge(folders)).rejects.toThrow(message);
  expect(readdirSync(root)).not.toContain('merged');
});

test('shards by proxy mode become one run, each mode with the pod network that it brings, and are compared', async () => {
  const shard = async (proxyMode: string, cni: string) => {
    const folder = await createRunFolder(
      join(root, proxyMode),
      withAttempt({ ...manifest, matrix: { ...whole, scenarios: ['drain'], proxyModes: [proxyMode] } }, 1),
    );
    for (const repeat of [1, 2]) {
      const { trial, ...report } = exampleReport(repeat);
      const arm = { ...trial.arm, id: `drain.${proxyMode}`, proxyMode };
      await folder.writeTrial({
        ...report,
        trial: { ...trial, arm, id: `drain.${proxyMode}-0${repeat}` },
        environment: { ...environment, proxyMode: measured(proxyMode), cni: measured(cni) },
      });
    }
    return folder.path;
  };
  const { aggregate } = await merge([await shard('iptables', 'kindnet'), await shard('nftables', 'another')]);
  expect(aggregate.drift).toEqual([]);
  expect(aggregate.comparisons).toMatchObject([
    { factor: 'proxy-mode', reference: 'iptables', alsoDiffer: ['CNI: kindnet (iptables) / another (nftables)'] },
  ]);
});

test('another kernel is drift, which is told of', async () => {
  const client = { ...environment.client, kernel: '6.9.0' };
  const folders = [
    await part('a', { scenario: 'exit-now' }),
    await part('b', { scenario: 'drain', environment: { client } }),
  ];
  expect((await merge(folders)).aggregate.drift).toEqual([expect.stringContaining('client kernel differs') as string]);
});

test('a matrix other than the runs’ is refused', async () => {
  const folders = [await part('a', { scenario: 'drain' })];
  await expect(merge(folders, { ...whole, repeats: 5 })).rejects.toThrow(/another matrix than was named/);
  await expect(merge(folders, { ...whole, scenarios: ['ignore'] })).rejects.toThrow(/has arm drain\.iptables/);
});
