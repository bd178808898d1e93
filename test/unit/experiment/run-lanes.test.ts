import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { criticalMoments } from '../../../src/experiment/critical-moments.ts';
import { conditionsOf, planExperiment, trialIdOf } from '../../../src/experiment/plan.ts';
import { runLanes } from '../../../src/experiment/run-lanes.ts';
import type { DeployedTrial, TrialRequest } from '../../../src/experiment/run-trial.ts';
import { proxyModes } from '../../../src/proxy-modes/index.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { triggers } from '../../../src/triggers/index.ts';
import { matrixOf } from '../../fixtures/trial-report.ts';

// fake timers reach the global ones alone
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => globalThis.setTimeout(resolve, ms)),
}));

const lanes = 5;
const spacingMs = 1000;
const capabilities = new Set(['kubernetes-api', 'multi-node', 'node-exec', 'cluster-configuration'] as const);
const standard = matrixOf({
  scenarios: ['exit-now', 'drain', 'ignore', 'drain-evict', 'drain-scale'],
  gracePeriodSeconds: 30,
  settleSeconds: 10,
  trailingSeconds: 3,
  repeats: 5,
  concurrency: lanes,
  clusterReuse: 'shared',
});

interface Span {
  readonly trial: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Runs the standard trials against a cluster of which only the times are real. */
async function runStandard(disturb: ReadonlySet<string> = new Set(), failing?: string) {
  const plan = planExperiment(standard, { name: 'kind', capabilities }, { scenarios, triggers, proxyModes });
  const conditions = conditionsOf(standard);
  const trials = plan.arms.flatMap((planned) =>
    Array.from({ length: standard.repeats }, (_, index): TrialRequest => ({
      id: trialIdOf(planned.arm, index + 1),
      workloadName: trialIdOf(planned.arm, index + 1),
      planned,
      repeat: index + 1,
      purpose: 'measured',
      firstOnCluster: false,
      conditions,
      isolation: plan.isolation,
    })),
  );
  const standing = new Set<string>();
  const left = new Set<string>();
  const flowing = new Set<string>();
  const most = { standing: 0, flowing: 0 };
  const moments: Span[] = [];
  const exchanges: Span[] = [];
  const done: string[] = [];
  const disturbed = new Set<string>();
  const timed = async (trial: string, ms: number) => {
    const fromMs = performance.now();
    await sleep(ms);
    exchanges.push({ trial, fromMs, toMs: performance.now() });
  };
  const course = {
    isPointless: () => false,
    deploy: async (request: TrialRequest) => {
      if (request.id === failing) throw new Error('the API server is gone');
      standing.add(request.id);
      most.standing = Math.max(most.standing, standing.size);
      await timed(request.id, 2000);
      return { request } as DeployedTrial;
    },
    run: async (
      { request }: DeployedTrial,
      bookTrigger: (own: ReturnType<typeof criticalMoments>, earliestMs: number) => Promise<number>,
    ) => {
      const { id, planned } = request;
      flowing.add(id);
      most.flowing = Math.max(most.flowing, flowing.size);
      const own = criticalMoments(planned.scenario, planned.trigger, conditions);
      const dueMs = await bookTrigger(own, performance.now() + 10_000);
      moments.push(...own.map(({ fromMs, toMs }) => ({ trial: id, fromMs: dueMs + fromMs, toMs: dueMs + toMs })));
      const endMs = Math.max(...own.map(({ toMs }) => toMs));
      await sleep(dueMs + endMs + 3000 - performance.now());
      flowing.delete(id);
      done.push(id);
      if (!disturb.has(id) || disturbed.has(id)) return undefined;
      disturbed.add(id);
      return request;
    },
    remove: async ({ request }: DeployedTrial, how: 'remove' | 'leave' = 'remove') => {
      if (how === 'leave') {
        left.add(request.id);
        return;
      }
      await timed(request.id, 1000);
      standing.delete(request.id);
    },
  };
  const began = performance.now();
  const running = runLanes(trials, course, { lanes, spacingMs, clusterEnds: true }, new AbortController().signal);
  const outcome = running.then(
    () => 'done' as const,
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(1_000_000);
  return {
    outcome: await outcome,
    done,
    most,
    moments,
    exchanges,
    standing,
    left,
    seconds: (performance.now() - began) / 1000,
  };
}

const meets = (a: Span, b: Span) => a.trial !== b.trial && a.fromMs < b.toMs - 1e-6 && b.fromMs < a.toMs - 1e-6;

describe('trials in lanes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('are all measured, as many at once as there are lanes', async () => {
    const { outcome, done, most } = await runStandard();
    expect(outcome).toBe('done');
    expect(new Set(done).size).toBe(25);
    expect(done).toHaveLength(25);
    expect(most.flowing).toBe(lanes);
  });

  test('leave no more workloads standing than those measured, those just over and one ahead a lane', async () => {
    const { most, standing, left } = await runStandard();
    expect(most.standing).toBeLessThanOrEqual(3 * lanes);
    // the last go with the cluster
    expect([...standing].toSorted()).toEqual([...left].toSorted());
    expect(left.size).toBeLessThanOrEqual(2 * lanes);
  });

  test('meet in no critical moment, and no container starts or goes for a trial in one', async () => {
    const { moments, exchanges } = await runStandard();
    expect(moments.length).toBeGreaterThan(25);
    expect(moments.filter((own) => moments.some((other) => meets(own, other)))).toEqual([]);
    expect(exchanges.length).toBeGreaterThan(25);
    expect(exchanges.filter((own) => moments.some((other) => meets(own, other)))).toEqual([]);
  });

  test('are measured again when they were disturbed', async () => {
    const { outcome, done } = await runStandard(
      new Set(['drain-03', 'ignore-05'].map((id) => id.replace('-', '.iptables-'))),
    );
    expect(outcome).toBe('done');
    expect(done.filter((id) => id === 'drain.iptables-03')).toHaveLength(2);
    expect(done).toHaveLength(27);
  });

  test('are all removed when one ends the run', async () => {
    const { outcome, standing, left } = await runStandard(new Set(), 'drain-scale.iptables-02');
    expect(outcome).toMatchObject({ message: 'the API server is gone' });
    expect(standing.size).toBe(0);
    expect(left.size).toBe(0);
  });
});
