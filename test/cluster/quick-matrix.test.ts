import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrialReport } from '../../src/domain/trial.ts';
import { openRunFolder } from '../../src/report/store.ts';
import { scenarios } from '../../src/scenarios/index.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

// as the README prints it
const readmeCommand = 'node dist/cli.js run --matrix quick --provider kind --node-image testbed.local/node:v1.34.0';
const lack = lackOf('docker', 'node image', 'kind');

describe.skipIf(lack !== undefined)(titled('matrix quick on a real kind cluster', lack), () => {
  const folder = mkdtempSync(join(tmpdir(), 'drainwatch-quick-'));
  const reports = new Map<string, TrialReport>();
  let outcome: { readonly exitCode?: number; readonly stdout: string; readonly stderr: string };

  beforeAll(async () => {
    const args = readmeCommand.replace('testbed.local/node:v1.34.0', nodeImage).split(' ').slice(2);
    const command = ['build/bundle/cli.js', ...args, '-o', join(folder, 'run')];
    outcome = await execa(process.execPath, command, { reject: false, stdin: 'ignore', env: environment });
    const run = await openRunFolder(join(folder, 'run'));
    for await (const report of run.readTrials()) reports.set(report.trial.arm.scenario, report);
  }, 900_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const report = (name: string): TrialReport => {
    const found = reports.get(name);
    if (found === undefined) throw new Error(`no trial of ${name} is complete:\n${outcome.stderr}`);
    return found;
  };

  test.each(scenarios.names())('%s: flows and exit code are what its scenario expects', (name) => {
    const { unexpected, trial } = report(name);
    expect(unexpected).toEqual([]);
    expect(trial.flows).toHaveLength(20);
  });

  test('the run says so with exit status 0 and a table', () => {
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toContain('6 of 6 arms as expected');
  });

  test.each(scenarios.names())('%s: one kernel is proven, so SIGTERM is placed exactly', (name) => {
    const { trial, metrics } = report(name);
    expect(trial.clock).toMatchObject({
      relation: 'same-kernel',
      bootId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(metrics['trigger-to-sigterm']).toMatchObject({ status: 'measured', value: { precision: 'exact' } });
  });

  test.each(scenarios.names())('%s: the order of the control plane holds on one timeline', (name) => {
    const { timeline, pod } = report(name).trial;
    const time = (event: string) =>
      timeline.find((entry) => entry.name === event && (!('pod' in entry.payload) || entry.payload.pod === pod))?.at
        .tMs;
    const [sigterm, notReady, terminated, removed] = [
      'sigterm-received',
      'endpoint-not-ready',
      'container-terminated',
      'endpoint-removed',
    ].map(time);
    expect(sigterm).toBeGreaterThan(0);
    expect(notReady).toBeGreaterThan(0);
    expect(terminated).toBeGreaterThan(sigterm ?? Infinity);
    expect(removed).toBeGreaterThan(notReady ?? Infinity);
  });

  test('under exit-now the client sees RST on every TCP flow', () => {
    const tcp = report('exit-now').trial.flows.filter(({ protocol }) => protocol === 'tcp');
    expect(tcp.map(({ errorCode }) => errorCode)).toEqual(Array.from({ length: 10 }, () => 'ECONNRESET'));
  });

  test('under drain UDP is re-homed to the replacement while the old pod still drains', () => {
    const { trial, metrics } = report('drain');
    const udp = trial.flows.filter(({ protocol }) => protocol === 'udp');
    expect(udp.every(({ openedTo, rehomed }) => rehomed !== null && rehomed.to !== openedTo)).toBe(true);
    expect(metrics['drain-left-at-udp-rehome']).toMatchObject({ status: 'measured' });
  });

  test('most UDP ends are resolved to 20 ms or less', () => {
    const bounds = [...reports.values()].flatMap(({ trial }) =>
      trial.flows.flatMap(({ protocol, outcome: { kind }, outcome: ending }) =>
        protocol === 'udp' && kind === 'severed' && 'at' in ending && ending.at.precision.kind === 'bounded'
          ? [ending.at.precision.earlyMs]
          : [],
      ),
    );
    const sorted = bounds.toSorted((a, b) => a - b);
    expect(sorted.length).toBeGreaterThan(30);
    // the median: a busy machine may delay single datagrams
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(20);
  });

  test('the running kube-proxy told its mode, and no node of the cluster is left', () => {
    expect(report('drain').environment.proxyMode).toEqual({ status: 'measured', value: 'iptables' });
    for (const { name } of report('drain').environment.nodes) {
      const left = spawnSync('docker', ['ps', '--all', '--quiet', '--filter', `name=${name}`]);
      expect({ status: left.status, containers: left.stdout.toString() }).toEqual({ status: 0, containers: '' });
    }
  });
});
