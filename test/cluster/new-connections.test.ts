import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewConnectionSummary } from '../../src/domain/new-connections.ts';
import type { TrialReport } from '../../src/domain/trial.ts';
import { openRunFolder } from '../../src/report/store.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const lack = lackOf('docker', 'node image', 'kind');
const dialled = ['host-node', 'same-node-pod', 'cross-node-pod'] as const;
const each = dialled.flatMap((path) => (['tcp', 'udp'] as const).map((protocol) => ({ path, protocol })));

describe.skipIf(lack !== undefined)(titled('new connections on a real kind cluster', lack), () => {
  const folder = mkdtempSync(join(tmpdir(), 'drainwatch-paths-'));
  const reports = new Map<string, TrialReport>();
  let outcome: { readonly exitCode?: number; readonly stdout: string; readonly stderr: string };

  beforeAll(async () => {
    const options = '--matrix quick --scenarios exit-now,drain --grace-period 8 --new-connections 10 --concurrency 1';
    const provider = ['--provider', 'kind', '--node-image', nodeImage, '-o', join(folder, 'run')];
    const command = ['build/bundle/cli.js', 'run', ...options.split(' '), ...provider];
    outcome = await execa(process.execPath, command, { reject: false, stdin: 'ignore', env: environment });
    const run = await openRunFolder(join(folder, 'run'));
    for await (const report of run.readTrials()) reports.set(report.trial.arm.scenario, report);
  }, 900_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const trialOf = (name: string) => {
    const found = reports.get(name)?.trial;
    if (found === undefined) throw new Error(`no trial of ${name} is complete:\n${outcome.stderr}`);
    return found;
  };
  const seriesOf = (name: string) => {
    const { newConnections } = trialOf(name);
    return newConnections.status === 'measured' ? newConnections.value : [];
  };
  function seen(name: string, { path, protocol }: (typeof each)[number]): NewConnectionSummary {
    const found = seriesOf(name).find((one) => one.path === path && one.protocol === protocol)?.seen;
    if (found?.status !== 'measured') throw new Error(found?.reason ?? `no ${protocol} on ${path}`);
    return found.value;
  }

  test.each(each)('$protocol on $path: all were answered by the pod until the trigger', (where) => {
    for (const name of ['exit-now', 'drain']) {
      const { before, attempts, intervals } = seen(name, where);
      // at 10 ms for the settling time and the whole trial, less what a busy machine leaves out
      expect(before.attempts).toBeGreaterThan(100);
      expect(before.failed).toBe(0);
      expect(attempts).toBeGreaterThan(100);
      expect(intervals[0]?.detail).toMatch(new RegExp(`^${trialOf(name).pod}/`));
    }
  });

  test.each(each)('$protocol on $path: the pod that exits at once is followed by its replacement', (where) => {
    const { timeline, pod } = trialOf('exit-now');
    const sigterm = timeline.find((event) => event.name === 'sigterm-received');
    const { lastAnswerOfPod, answeredBy, failureWindow } = seen('exit-now', where);
    // one clock: what the pod answered was asked before it heard of its end, or within one attempt of that; it may hear
    // of it before any attempt of after the trigger is answered
    const lastMs = lastAnswerOfPod?.tMs ?? 0;
    expect(lastMs).toBeLessThan((sigterm?.at.tMs ?? NaN) + 100);
    expect(answeredBy.some(({ identity }) => !identity.startsWith(`${pod}/`))).toBe(true);
    expect(failureWindow).toMatchObject({ status: 'measured' });
  });

  test('the host’s path without a load balancer is not measured, with that reason', () => {
    const balancer = seriesOf('drain').filter(({ path }) => path === 'host-load-balancer');
    expect(balancer.map((one) => one.seen)).toEqual(
      Array.from({ length: 2 }, () => ({
        status: 'not-measured',
        reason: 'the Service has no load balancer address',
      })),
    );
  });

  test('no client is taken for a pod of the workload: flows and outcomes are as without them', () => {
    for (const report of reports.values()) expect(report.unexpected).toEqual([]);
    expect(outcome.exitCode).toBe(0);
  });

  test('table and CSV tell of every path', () => {
    const csv = readFileSync(join(folder, 'run', 'new-connections.csv'), 'utf8');
    for (const path of [...dialled, 'host-load-balancer']) expect(csv).toContain(`,${path},`);
    for (const told of ['TCP host → node', 'UDP pod, same node', 'TCP pod, other node']) {
      expect(outcome.stdout).toContain(told);
    }
  });
});
