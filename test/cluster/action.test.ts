import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fakeRunner } from '../action/fake-runner.ts';
import { lackOf, environment, nodeImage, testbedBin, titled } from './prerequisites.ts';

const lack = lackOf('docker', 'node image', 'kind');
const whole = {
  matrix: 'quick',
  provider: 'kind',
  'node-image': nodeImage,
  'kind-path': join(testbedBin, 'kind'),
};
const inputs = { ...whole, scenarios: 'exit-now,drain', 'grace-period': '8', settle: '2' };
const path = { PATH: environment.PATH ?? '' };

const clusters = (): readonly string[] => {
  const args = ['ps', '--all', '--format', '{{.Label "io.x-k8s.kind.cluster"}}'];
  const { stdout } = spawnSync('docker', args, { encoding: 'utf8' });
  return [...new Set(stdout.split('\n'))].filter((name) => /^drainwatch-[0-9a-f]{8}$/.test(name));
};
/** Clusters whose state is in a job's own home: no other test's. */
const statesOf = (root: string): readonly string[] => {
  const folder = join(root, 'home', '.local', 'state', 'drainwatch');
  return existsSync(folder)
    ? readdirSync(folder).flatMap((name) => /^(drainwatch-[0-9a-f]{8})\.json$/.exec(name)?.[1] ?? [])
    : [];
};

describe.skipIf(lack !== undefined)(titled('the Action on real kind clusters', lack), () => {
  test('quick gives comment, check, summary, charts and artifact; a second run updates the same comment', async () => {
    const { github, results, job } = await fakeRunner();
    // every scenario, in lanes: a few minutes less
    const first = await job({ env: path }).run('main', { ...whole, concurrency: '3', charts: 'branch' });
    expect(first.exitCode, first.log).toBe(0);
    expect(first.outputs).toMatchObject({ passed: 'true', trials: '6' });
    expect(github.faults).toEqual([]);
    const [comment] = github.comments.stored;
    expect(comment?.body).toContain('6 of 6 arms as expected');
    expect(comment?.body).toMatch(/Kubernetes v1\.\d+\.\d+/);
    expect(comment?.body).toMatch(/<img alt="[^"]+" src="https:\/\/github\.com\/octocat\/hello\/raw\//);
    expect(first.summary).toContain('6 of 6 arms as expected');
    expect(results.finished.map(({ name }) => name)).toEqual(['drainwatch-iptables-attempt-1']);
    const medians = z
      .record(z.string(), z.record(z.string(), z.number()))
      .parse(JSON.parse(first.outputs.medians ?? ''));
    expect(medians['exit-now.iptables']?.['dead-endpoint-window']).toBeDefined();
    expect(
      z
        .array(z.string())
        .parse(JSON.parse(first.outputs['chart-paths'] ?? ''))
        .filter((file) => !existsSync(file)),
    ).toEqual([]);

    const second = await job({ env: path, runId: 101 }).run('main', {
      ...inputs,
      scenarios: 'exit-now',
      charts: 'none',
    });
    expect(second.exitCode, second.log).toBe(0);
    expect(github.comments.stored).toHaveLength(1);
    expect(second.outputs['comment-id']).toBe(first.outputs['comment-id']);
    expect(second.state['report-folder']).not.toBe(first.state['report-folder']);
  }, 900_000);

  test.each([
    ['SIGINT while the cluster is made', 'SIGINT', 5000],
    ['SIGKILL while the cluster is made', 'SIGKILL', 5000],
  ] as const)(
    '%s: the post step leaves no container',
    async (_, signal, afterMs) => {
      const { job } = await fakeRunner();
      const running = job({ env: path });
      const { kill, ended } = running.start('main', inputs);
      await expect.poll(() => statesOf(running.root), { timeout: 60_000 }).toHaveLength(1);
      const [cluster = ''] = statesOf(running.root);
      await delay(afterMs);
      kill(signal);
      const step = await ended;
      expect(step.exitCode).not.toBe(0);
      const post = await running.run('post', inputs, step.state, path);
      expect(post.exitCode, post.log).toBe(0);
      expect(clusters()).not.toContain(cluster);
      expect(statesOf(running.root)).toEqual([]);
    },
    300_000,
  );

  test('a cluster that a killed run left ends, and its logs are in the report folder', async () => {
    const { results, job } = await fakeRunner();
    const running = job({ env: path });
    const { kill, ended } = running.start('main', { ...inputs, settle: '120' });
    const probeRuns = () =>
      ['control-plane', 'worker'].some((node) => {
        const args = ['exec', `${statesOf(running.root)[0] ?? ''}-${node}`, 'crictl', 'ps', '-q', '--name', 'probe'];
        return spawnSync('docker', args, { encoding: 'utf8' }).stdout !== '';
      });
    await expect.poll(() => probeRuns(), { timeout: 240_000, interval: 2000 }).toBe(true);
    const [cluster = ''] = statesOf(running.root);
    kill('SIGKILL');
    const step = await ended;
    const post = await running.run('post', inputs, step.state, path);
    expect(post.exitCode, post.log).toBe(0);
    expect(clusters()).not.toContain(cluster);
    const logs = join(step.state['report-folder'] ?? '', 'cluster-logs', cluster);
    expect(readdirSync(logs)).toEqual(expect.arrayContaining([`${cluster}-control-plane`, `${cluster}-worker`]));
    expect(results.finished).toHaveLength(1);
  }, 600_000);
});
