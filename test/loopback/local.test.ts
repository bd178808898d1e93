import { beforeAll, expect, test } from 'vitest';
import { endOf } from '../../src/domain/classify.ts';
import type { TrialReport } from '../../src/domain/trial.ts';
import { planExperiment } from '../../src/experiment/plan.ts';
import { runExperiment } from '../../src/experiment/run-experiment.ts';
import { watchHostLoad } from '../../src/host/host-load.ts';
import { createFlowClient } from '../../src/flows/flow-client.ts';
import { createNewConnectionClient } from '../../src/flows/new-connections/new-connection-client.ts';
import { measureTrial } from '../../src/metrics/measure-trial.ts';
import { createRunner } from '../../src/process/runner.ts';
import { createLocalProvider } from '../../src/providers/local/provider.ts';
import { proxyModes } from '../../src/proxy-modes/index.ts';
import { scenarios } from '../../src/scenarios/index.ts';
import { triggers } from '../../src/triggers/index.ts';
import { matrixOf } from '../fixtures/trial-report.ts';

/** One trial of each scenario that a plain process can run, and one that it can't. */
const names = ['exit-now', 'drain', 'ignore', 'drain-ready', 'drain-evict'];
const graceSeconds = 6;
const reports = new Map<string, TrialReport>();
const absent: string[] = [];

beforeAll(async () => {
  const runner = createRunner({ log: () => undefined });
  const tool = { version: 'test', commit: 'test', dirty: false };
  const provider = createLocalProvider({ runner, tool, probeBundle: 'build/bundle/probe.js', port: 0 });
  const matrix = matrixOf({
    scenarios: names,
    proxyModes: [],
    repeats: 1,
    gracePeriodSeconds: graceSeconds,
    flows: { tcp: 3, udp: 3 },
    settleSeconds: 0.2,
    trailingSeconds: 0.2,
  });
  const completed = new Set<string>();
  using hostLoad = watchHostLoad();
  await runExperiment(
    {
      plan: planExperiment(matrix, provider, { scenarios, triggers, proxyModes }),
      runId: 'testtest',
      provider,
      cluster: { workers: 1 },
      hostLoad,
      flowClient: createFlowClient({ workerFile: 'build/bundle/flow-worker.js' }),
      newConnectionClient: createNewConnectionClient({ workerFile: 'build/bundle/new-connections-worker.js' }),
      store: {
        completed,
        writeTrial: (report) => Promise.resolve(void reports.set(report.trial.arm.scenario, report)),
        writeWarmUp: () => Promise.reject(new Error('a plain process needs no warm-up')),
        captureFolder: () => Promise.reject(new Error('nothing was captured')),
        writeDisturbed: ({ trial }) => Promise.reject(new Error(`${trial.id} was disturbed`)),
        writeFailure: ({ trial, reason }) => Promise.reject(new Error(`${trial}: ${reason}`)),
      },
      measure: measureTrial,
      onProgress: (progress) => {
        if (progress.kind === 'arm-absent') absent.push(`${progress.arm} ${progress.status}`);
      },
    },
    new AbortController().signal,
  );
}, 120_000);

const report = (name: string): TrialReport => {
  const found = reports.get(name);
  if (found === undefined) throw new Error(`no report of ${name}`);
  return found;
};
const value = (name: string, metric: string): number => {
  const sample = report(name).metrics[metric];
  if (sample?.status !== 'measured') throw new Error(`${metric} of ${name}: ${sample?.reason ?? 'missing'}`);
  return sample.value.value;
};

test.each(names.slice(0, 4))('%s ends as its scenario expects', (name) => {
  expect(report(name).unexpected).toEqual([]);
});

test('what needs a Kubernetes API is skipped, not failed', () => {
  expect(absent).toEqual(['drain-evict skipped']);
  expect(reports.has('drain-evict')).toBe(false);
});

test('the probe and the client are shown to share one clock, so SIGTERM is placed exactly', () => {
  const { trial, metrics } = report('drain');
  expect(trial.clock.relation).toBe('same-kernel');
  expect(metrics['trigger-to-sigterm']).toMatchObject({ value: { precision: 'exact' } });
  expect(value('drain', 'trigger-to-sigterm')).toBeGreaterThan(0);
});

test('a draining process is served until its drain time, and no longer', () => {
  expect(value('drain', 'trigger-to-last-tcp-end')).toBeGreaterThanOrEqual((graceSeconds - 5) * 1000);
  expect(value('drain', 'trigger-to-last-tcp-end')).toBeLessThan(graceSeconds * 1000);
});

test('a process that ignores SIGTERM is killed when the grace period is over, not before', () => {
  const { trial } = report('ignore');
  expect(trial.container).toMatchObject({ value: { exitCode: 137, signal: 9 } });
  expect(value('ignore', 'trigger-to-first-tcp-end')).toBeGreaterThanOrEqual(graceSeconds * 1000);
  const order = trial.timeline.map(({ name }) => name).filter((name) => name.startsWith('sig'));
  expect(order).toEqual(['sigterm-received', 'sigkill-sent']);
});

test('readiness is withdrawn by drain, and kept by drain-ready', () => {
  const withdrawn = (name: string) => report(name).trial.timeline.some((event) => event.name === 'readiness-withdrawn');
  expect([withdrawn('drain'), withdrawn('drain-ready')]).toEqual([true, false]);
});

test('every Kubernetes metric is not measured, with that reason, and none is 0', () => {
  for (const name of ['trigger-to-ready-false', 'trigger-to-endpoint-removed', 'dead-endpoint-window']) {
    expect(report('drain').metrics[name]).toEqual({
      status: 'not-measured',
      reason: expect.stringContaining('provider local has no cluster') as string,
    });
  }
});

test('a refused UDP flow was served before the process was gone, and may have been until after the trigger', () => {
  const { flows, timeline } = report('exit-now').trial;
  const goneMs = timeline.find(({ name }) => name === 'process-exited')?.at.tMs;
  const ends = flows.flatMap(({ protocol, outcome }) => (protocol === 'udp' ? (endOf(outcome) ?? []) : []));
  expect(ends.length).toBeGreaterThan(0);
  for (const { tMs, precision } of ends) {
    if (precision.kind !== 'bounded') throw new Error('the end is known within bounds');
    expect(tMs - precision.earlyMs).toBeLessThan(goneMs ?? NaN);
    expect(tMs + precision.lateMs).toBeGreaterThan(0);
  }
});

test.each(['exit-now', 'drain'])(
  '%s: new connections are answered until the process closes, and fail from then on',
  (name) => {
    const { newConnections, timeline } = report(name).trial;
    const goneMs = timeline.find((event) => event.name === 'process-exited')?.at.tMs;
    const series = newConnections.status === 'measured' ? newConnections.value : [];
    expect(series.map(({ path, protocol }) => `${path} ${protocol}`)).toEqual(['host-node tcp', 'host-node udp']);
    for (const { protocol, seen } of series) {
      if (seen.status === 'not-measured') throw new Error(seen.reason);
      const { before, answeredBy, lastAnswerOfPod, firstFailure } = seen.value;
      expect(before.attempts).toBeGreaterThan(0);
      expect(before.failed).toBe(0);
      expect(answeredBy.length).toBeLessThanOrEqual(1);
      expect(lastAnswerOfPod?.tMs ?? 0).toBeLessThan(goneMs ?? NaN);
      expect(firstFailure?.tMs).toBeGreaterThan(lastAnswerOfPod?.tMs ?? 0);
      // a process alone is replaced by none
      expect(report(name).metrics[`new-${protocol}-failure-window`]).toMatchObject({
        reason: expect.stringContaining('still failed when the observation closed') as string,
      });
    }
    if (name === 'drain') expect(value(name, 'new-tcp-last-answer')).toBeGreaterThan((graceSeconds - 5) * 900);
  },
);
