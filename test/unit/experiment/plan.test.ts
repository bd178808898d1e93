import { describe, expect, test } from 'vitest';
import type { Requirement } from '../../../src/domain/scenario.ts';
import { fitMatrix, shownConcurrency } from '../../../src/experiment/fit-matrix.ts';
import { planExperiment } from '../../../src/experiment/plan.ts';
import { proxyModes } from '../../../src/proxy-modes/index.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { triggers } from '../../../src/triggers/index.ts';
import { matrixOf } from '../../fixtures/trial-report.ts';

const plugIns = { scenarios, triggers, proxyModes };
const providerWith = (name: string, ...capabilities: readonly Requirement[]) => ({
  name,
  capabilities: new Set(capabilities),
});
const kind = providerWith('kind', 'kubernetes-api', 'cluster-configuration');
const kubeconfig = providerWith('kubeconfig', 'kubernetes-api');
const local = providerWith('local');
const plan = (overrides: Parameters<typeof matrixOf>[0], provider = kind) =>
  planExperiment(matrixOf(overrides), provider, plugIns);

describe('a plan', () => {
  test('has one arm for each combination of the factors, named by their levels', () => {
    const { arms } = plan({
      scenarios: ['exit-now', 'drain'],
      proxyModes: ['iptables', 'nftables'],
      kubernetesVersions: ['v1.34.0'],
    });
    expect(arms.map(({ arm }) => arm.id)).toEqual([
      'exit-now.iptables.v1.34.0',
      'drain.iptables.v1.34.0',
      'exit-now.nftables.v1.34.0',
      'drain.nftables.v1.34.0',
    ]);
  });

  test('makes a fresh cluster for each scenario, or shares one for each proxy mode', () => {
    const factors = { scenarios: ['exit-now', 'drain'], proxyModes: ['iptables', 'nftables'] };
    expect(plan({ ...factors, clusterReuse: 'fresh-per-scenario' }).groups).toHaveLength(4);
    expect(plan({ ...factors, clusterReuse: 'shared' }).groups.map(({ arms }) => arms.length)).toEqual([2, 2]);
  });

  test('skips what the provider can’t do, with the reason, and counts only what runs', () => {
    const { arms, trials } = plan({ scenarios: ['exit-now', 'drain-evict'], proxyModes: [], repeats: 3 }, local);
    expect(arms.map(({ skip }) => skip)).toEqual([null, 'provider local has no Kubernetes API']);
    expect(trials).toBe(3);
  });

  test('states the waiting that no machine can shorten', () => {
    // settle 10 + trailing 3, and 0, 25 and 30 s until the pod is gone
    expect(plan({ scenarios: ['exit-now', 'drain', 'ignore'], repeats: 2 }).floorSeconds).toBe(2 * (13 + 38 + 43));
  });

  test.each([
    [{ scenarios: ['exit-fast'] }, /unknown scenario "exit-fast".*exit-now, drain/],
    [{ proxyModes: ['ebpf'] }, /unknown proxy mode "ebpf".*iptables, nftables, ipvs/],
    [{ scenarios: ['drain', 'drain'] }, /scenarios names drain twice/],
    [{ scenarios: ['drain'], gracePeriodSeconds: 5 }, /a grace period of 5 s.*more than 5 s.*drain/],
  ])('of %j is refused as bad input', (overrides, message) => {
    expect(() => plan(overrides)).toThrow(
      expect.objectContaining({ kind: 'input', message: expect.stringMatching(message) as string }) as Error,
    );
  });
});

describe('a matrix', () => {
  const unasked = { proxyModes: false, kubernetesVersions: false };

  test('keeps its factors where the provider makes the clusters', () => {
    expect(fitMatrix(matrixOf(), kind, unasked).proxyModes).toEqual(['iptables']);
  });

  test.each([
    [kind, 'auto', unasked, shownConcurrency],
    [kind, 'auto', { ...unasked, nodePort: true }, 1],
    [kubeconfig, 'auto', unasked, 1],
    [local, 'auto', unasked, 1],
    [kubeconfig, 7, unasked, 7],
    [kind, 1, { ...unasked, nodePort: true }, 1],
  ] as const)('on %j with concurrency %s and %j runs so many trials at once: %i', (provider, asked, options, lanes) => {
    expect(fitMatrix(matrixOf({ concurrency: asked }), provider, options).concurrency).toBe(lanes);
  });

  test('that wants several trials at once on one node port is refused', () => {
    expect(() => fitMatrix(matrixOf({ concurrency: 2 }), kind, { ...unasked, nodePort: true })).toThrow(
      /one node port/,
    );
  });

  test('loses its factors where it does not, unless one was asked for by name and can be verified', () => {
    expect(fitMatrix(matrixOf(), kubeconfig, unasked).proxyModes).toEqual([]);
    expect(fitMatrix(matrixOf(), kubeconfig, { ...unasked, proxyModes: true }).proxyModes).toEqual(['iptables']);
  });

  test.each([
    [local, { ...unasked, proxyModes: true }, /a proxy mode/],
    [kubeconfig, { ...unasked, kubernetesVersions: true }, /a Kubernetes version/],
  ])('that asks %j for what it can’t set or verify is refused', (provider, asked, message) => {
    expect(() => fitMatrix(matrixOf(), provider, asked)).toThrow(message);
  });
});
