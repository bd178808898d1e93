import { describe, expect, test } from 'vitest';
import type { ClientObservation, FlowClient } from '../../../src/domain/client.ts';
import type { Cluster, Provider } from '../../../src/domain/cluster.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import type { HostLoad } from '../../../src/domain/host-load.ts';
import { inputError, requirementError } from '../../../src/domain/errors.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { Matrix } from '../../../src/domain/matrix.ts';
import type { Requirement } from '../../../src/domain/scenario.ts';
import type { TrialReport } from '../../../src/domain/trial.ts';
import type { Workload } from '../../../src/domain/workload.ts';
import { planExperiment } from '../../../src/experiment/plan.ts';
import type { Progress } from '../../../src/experiment/progress.ts';
import { runExperiment } from '../../../src/experiment/run-experiment.ts';
import { proxyModes } from '../../../src/proxy-modes/index.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { triggers } from '../../../src/triggers/index.ts';
import { environmentOf, matrixOf } from '../../fixtures/trial-report.ts';

/** What a stand-in cluster is to fail at; it stands in behind the Provider port only. */
interface Faults {
  readonly open?: (name: string) => Error | undefined;
  readonly deploy?: (workload: string) => Error | undefined;
  readonly pressure?: (asked: number) => number;
  readonly removeWorkload?: Error;
  readonly removeCluster?: Error;
  /** Where in the kubelet's round a trigger comes; at its start by default. */
  readonly random?: () => number;
  /** What carries Services on the cluster, as it tells. */
  readonly dataPlane?: Environment['proxyMode'];
}

const delays = { p50: 0, p99: 0, max: 0 };
const workload = (faults: Faults): Workload => ({
  pod: 'probe',
  identity: 'probe/1',
  endpoint: { address: '127.0.0.1', tcpPort: 1, udpPort: 1 },
  clock: { bootId: 'boot', timeNamespaceOffsetNs: 0n, identity: 'probe/1' },
  termination: {
    deletePod: () => Promise.resolve(),
    evictPod: () => Promise.resolve(),
    scaleToZero: () => Promise.resolve(),
  },
  preflight: () => Promise.resolve([]),
  gone: Promise.resolve(),
  leave: () => Promise.resolve(),
  [Symbol.asyncDispose]: () =>
    faults.removeWorkload === undefined ? Promise.resolve() : Promise.reject(faults.removeWorkload),
});

const observation: ClientObservation = {
  flows: [],
  eventLoopDelayMs: delays,
  threadNiceness: 0,
  stampDelays: { startNs: 0n, windowNs: 1_000_000_000n, maxMs: [0] },
  sendLatenessMs: measured(delays),
  exchanges: null,
  generator: {
    udpBeforeMark: { sent: 0, unanswered: 0 },
    skippedSends: 0,
    droppedAnswers: measured([]),
    udpBufferErrors: measured({ receive: 0, send: 0 }),
  },
};

/** A client without flows: what becomes of flows is not this test's matter. */
const flowClient: FlowClient = {
  open: () =>
    Promise.resolve({
      status: () =>
        Promise.resolve({ dialed: 1, tcpEstablished: 1, udpReplying: 0, answeredBy: ['probe/1'], firstError: null }),
      mark: () => undefined,
      allEnded: Promise.resolve(),
      failed: new Promise<never>(() => undefined),
      finish: () => Promise.resolve(observation),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

/** A machine whose load in the nth trial that asks is given; the warm-up is the first. */
function machineOf(pressure: Faults['pressure']): HostLoad {
  let asked = 0;
  return {
    over: () => ({ cpuPressure: measured(pressure?.((asked += 1)) ?? 0), stolenMs: measured(0) }),
    [Symbol.dispose]: () => undefined,
  };
}

async function run(faults: Faults, matrix: Partial<Matrix> = {}, signal = new AbortController().signal) {
  const log: string[] = [];
  const stored: TrialReport[] = [];
  const disturbed: string[] = [];
  const failures: { readonly trial: string; readonly reason: string }[] = [];
  const progress: Progress[] = [];
  const provider: Provider = {
    name: 'stand-in',
    capabilities: new Set<Requirement>(['kubernetes-api', 'cluster-configuration']),
    availability: () => Promise.resolve({ available: true, detail: '' }),
    open: ({ name }) => {
      const fault = faults.open?.(name);
      if (fault !== undefined) return Promise.reject(fault);
      log.push('open');
      const cluster: Cluster = {
        name,
        unobservable: {},
        environment: () =>
          Promise.resolve(environmentOf(faults.dataPlane === undefined ? {} : { proxyMode: faults.dataPlane })),
        deploy: (spec) => {
          const deployFault = faults.deploy?.(spec.name);
          return deployFault === undefined ? Promise.resolve(workload(faults)) : Promise.reject(deployFault);
        },
        [Symbol.asyncDispose]: () => {
          log.push('close');
          return faults.removeCluster === undefined ? Promise.resolve() : Promise.reject(faults.removeCluster);
        },
      };
      return Promise.resolve(cluster);
    },
  };
  const defaults = {
    scenarios: ['exit-now', 'drain'],
    proxyModes: [],
    repeats: 2,
    settleSeconds: 0,
    trailingSeconds: 0,
  };
  const plan = planExperiment(matrixOf({ ...defaults, ...matrix }), provider, { scenarios, triggers, proxyModes });
  const outcome = await runExperiment(
    {
      plan,
      runId: 'r',
      provider,
      cluster: { workers: 1 },
      flowClient,
      hostLoad: machineOf(faults.pressure),
      random: faults.random ?? (() => 0),
      store: {
        completed: new Set(),
        writeTrial: (report) => Promise.resolve(void stored.push(report)),
        writeWarmUp: () => Promise.resolve(void log.push('warm-up')),
        captureFolder: () => Promise.reject(new Error('nothing was captured')),
        writeDisturbed: (report) => Promise.resolve(void disturbed.push(report.trial.id)),
        writeFailure: (failure) => Promise.resolve(void failures.push(failure)),
      },
      measure: () => ({}),
      onProgress: (each) => progress.push(each),
    },
    signal,
  ).then(
    () => 'done',
    (error: unknown) => error,
  );
  return { outcome, log, stored: stored.map(({ trial }) => trial.id), reports: stored, disturbed, failures, progress };
}

describe('a run', () => {
  test('warms a cluster up, then stores every trial, and marks the cluster’s first', async () => {
    const { outcome, log, stored, reports } = await run({});
    expect(outcome).toBe('done');
    expect(log).toEqual(['open', 'warm-up', 'close']);
    expect(stored).toEqual(['exit-now-01', 'exit-now-02', 'drain-01', 'drain-02']);
    expect(reports.map(({ trial }) => trial.firstOnCluster)).toEqual([true, false, false, false]);
  });

  test('holds a trial against what the data plane that runs leads to expect, though none was asked for', async () => {
    const expected = async (dataPlane: Environment['proxyMode']) => {
      const { reports } = await run({ dataPlane }, { repeats: 1 });
      return reports.map(({ trial }) => trial.scenario.expects.tcp.kind);
    };
    expect(await expected(measured('iptables'))).toEqual(['severed', 'drained-clean-close']);
    expect(await expected(measured('cilium'))).toEqual(['severed', 'severed']);
    expect(await expected(notMeasured('no answer'))).toEqual(['severed', 'drained-clean-close']);
  });

  test('triggers each trial at a random phase of a second, after settling', async () => {
    const phases = [0, 0.4].values();
    const { reports } = await run({ random: () => phases.next().value ?? 0 }, { scenarios: ['exit-now'], repeats: 1 });
    const [settling] = reports.flatMap(({ trial }) => trial.phases.filter(({ phase }) => phase === 'settling'));
    // the warm-up drew the first phase; timers may be a millisecond early
    expect(settling && settling.toMs - settling.fromMs).toBeGreaterThanOrEqual(399);
  });

  test('goes on with the next arm when a trial fails, without the rest of its own', async () => {
    // the second workload is the first measured trial
    const { stored, failures } = await run({ deploy: (name) => (name === 'r-2' ? new Error('no room') : undefined) });
    expect(failures).toEqual([{ trial: 'exit-now-01', arm: 'exit-now', reason: 'no room' }]);
    expect(stored).toEqual(['drain-01', 'drain-02']);
  });

  test('measures on after a warm-up that failed, which is stored as a failure and discards nothing', async () => {
    const { stored, failures, progress } = await run({
      deploy: (name) => (name === 'r-1' ? new Error('cold') : undefined),
    });
    expect(failures.map(({ trial }) => trial)).toEqual(['exit-now-warm-up']);
    expect(stored).toHaveLength(4);
    expect(progress.filter(({ kind }) => kind === 'arm-absent')).toEqual([]);
  });

  test('keeps a measured trial whose workload can’t be removed, and says that something is left', async () => {
    const { outcome, stored, failures, progress } = await run({ removeWorkload: new Error('stuck in Terminating') });
    expect(outcome).toBe('done');
    expect(stored).toHaveLength(4);
    expect(failures).toEqual([]);
    expect(progress).toContainEqual({ kind: 'removal-failed', what: 'drain-02', reason: 'stuck in Terminating' });
  });

  test('whose cluster can’t be removed goes on with the next cluster', async () => {
    const { outcome, stored, progress } = await run(
      { removeCluster: new Error('Docker is gone') },
      { clusterReuse: 'fresh-per-scenario' },
    );
    expect(outcome).toBe('done');
    expect(stored).toHaveLength(4);
    expect(progress.filter(({ kind }) => kind === 'removal-failed')).toHaveLength(2);
  });

  test('discards the arms of a cluster that can’t be opened, and runs the others', async () => {
    const open = (name: string) => (name.endsWith('-1') ? new Error('kind create failed') : undefined);
    const { stored, failures } = await run({ open }, { clusterReuse: 'fresh-per-scenario' });
    expect(failures).toEqual([{ trial: 'exit-now-01', arm: 'exit-now', reason: 'kind create failed' }]);
    expect(stored).toEqual(['drain-01', 'drain-02']);
  });

  test('skips the arms of a cluster that this machine lacks something for, and runs the others', async () => {
    const missing = requirementError({ expected: 'module ip_vs', found: 'none', remedy: 'load it' });
    const open = (name: string) => (name.endsWith('-1') ? missing : undefined);
    const { stored, failures, progress } = await run({ open }, { clusterReuse: 'fresh-per-scenario' });
    expect(failures).toEqual([
      { trial: 'exit-now-01', arm: 'exit-now', reason: missing.message, unmetRequirement: true },
    ]);
    expect(progress).toContainEqual({
      kind: 'arm-absent',
      arm: 'exit-now',
      status: 'skipped',
      reason: missing.message,
    });
    expect(stored).toEqual(['drain-01', 'drain-02']);
  });

  test('in which nothing could run for want of something is that requirement, and stores nothing', async () => {
    const missing = requirementError({ expected: 'module ip_vs', found: 'none', remedy: 'load it' });
    const { outcome, failures } = await run({ open: () => missing }, { clusterReuse: 'fresh-per-scenario' });
    expect(outcome).toBe(missing);
    expect(failures).toEqual([]);
  });

  test('ends at bad input, after removing what it made', async () => {
    const bad = inputError({ expected: 'a free port', found: 'port 30000 is taken', remedy: 'take another' });
    const { outcome, log, failures } = await run({ deploy: () => bad });
    expect(outcome).toBe(bad);
    expect(log).toEqual(['open', 'close']);
    expect(failures).toEqual([]);
  });

  test('that is aborted in a trial removes its cluster, and calls nothing failed', async () => {
    const controller = new AbortController();
    const deploy = (name: string) => {
      if (name !== 'r-3') return undefined;
      controller.abort(new Error('stop'));
      return new Error('aborted while deploying');
    };
    const { outcome, log, stored, failures } = await run({ deploy }, {}, controller.signal);
    expect(outcome).toBeInstanceOf(Error);
    expect(log).toEqual(['open', 'warm-up', 'close']);
    expect(stored).toEqual(['exit-now-01']);
    expect(failures).toEqual([]);
  });
});

describe('a trial on a machine that is not calm', () => {
  // exit-now has one critical moment: the warm-up asks once, and so does each attempt
  const disturbing = (attempts: readonly number[]) => (asked: number) => (attempts.includes(asked) ? 1 : 0);

  test('is kept apart, told of, and measured again', async () => {
    const { stored, disturbed, failures, progress } = await run(
      { pressure: disturbing([2]) },
      { scenarios: ['exit-now'] },
    );
    expect(disturbed).toEqual(['exit-now-01']);
    expect(stored).toEqual(['exit-now-01', 'exit-now-02']);
    expect(failures.map(({ reason }) => reason)).toEqual([
      'disturbed, and measured again: CPU pressure of 100 % (at most 90 %) in the trigger moment',
    ]);
    expect(progress.filter(({ kind }) => kind === 'arm-absent')).toEqual([]);
  });

  test('discards its arm when it is not calm three times', async () => {
    const { stored, disturbed, failures } = await run(
      { pressure: disturbing([2, 3, 4]) },
      { scenarios: ['exit-now', 'drain-scale'] },
    );
    expect(disturbed).toHaveLength(3);
    expect(failures.at(-1)?.reason).toMatch(/^disturbed in each of 3 attempts, in the last by CPU pressure/);
    expect(stored).toEqual(['drain-scale-01', 'drain-scale-02']);
  });

  test('matters not where it is a warm-up', async () => {
    const { stored, disturbed } = await run({ pressure: disturbing([1]) }, { scenarios: ['exit-now'] });
    expect(disturbed).toEqual([]);
    expect(stored).toHaveLength(2);
  });
});

describe('trials in lanes', () => {
  // without settling and with a book's spacing this takes as long as the moments of the trials, one after the other
  const quick = { concurrency: 4, repeats: 1, scenarios: ['exit-now', 'drain-scale'], gracePeriodSeconds: 6 };

  test('are all stored, each with the lanes that it had beside it', async () => {
    const { outcome, log, stored, reports } = await run({}, quick);
    expect(outcome).toBe('done');
    expect(log).toEqual(['open', 'warm-up', 'close']);
    expect(stored.toSorted()).toEqual(['drain-scale-01', 'exit-now-01']);
    expect(reports.map(({ trial }) => trial.isolation.lanes)).toEqual([4, 4]);
    expect(reports.filter(({ trial }) => trial.firstOnCluster)).toHaveLength(1);
  });

  test('discard the arm of one that fails, and leave the others', async () => {
    const { stored, failures } = await run(
      { deploy: (name) => (name === 'r-2' ? new Error('no room') : undefined) },
      quick,
    );
    expect(failures).toEqual([{ trial: 'exit-now-01', arm: 'exit-now', reason: 'no room' }]);
    expect(stored).toEqual(['drain-scale-01']);
  });

  test('end at bad input, after removing what was made', async () => {
    const bad = inputError({ expected: 'a free port', found: 'port 30000 is taken', remedy: 'take another' });
    const { outcome, log } = await run({ deploy: (name) => (name === 'r-3' ? bad : undefined) }, quick);
    expect(outcome).toBe(bad);
    expect(log.at(-1)).toBe('close');
  });

  test('measure one that was disturbed again', async () => {
    const { stored, disturbed } = await run(
      { pressure: (asked) => (asked === 2 ? 1 : 0) },
      { ...quick, scenarios: ['exit-now'] },
    );
    expect(disturbed).toEqual(['exit-now-01']);
    expect(stored).toEqual(['exit-now-01']);
  });
});
