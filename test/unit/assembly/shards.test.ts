import { expect, test } from 'vitest';
import { plugIns } from '../../../src/assembly/plug-ins.ts';
import { anyProvider } from '../../../src/assembly/prepare-run.ts';
import { shardsOf } from '../../../src/assembly/shards.ts';
import type { Matrix } from '../../../src/domain/matrix.ts';
import { planExperiment } from '../../../src/experiment/plan.ts';
import { matrix } from '../report/example-reports.ts';

const shards = (changes: Partial<Matrix>) => shardsOf(planExperiment({ ...matrix, ...changes }, anyProvider, plugIns));
const modes = ['iptables', 'nftables'];

test('arms that share a cluster are one shard, an arm of its own cluster is one by itself', () => {
  expect(shards({ clusterReuse: 'shared', scenarios: ['drain', 'ignore'], proxyModes: modes })).toEqual([
    { name: 'iptables', scenarios: ['drain', 'ignore'], proxyModes: ['iptables'], kubernetesVersions: [] },
    { name: 'nftables', scenarios: ['drain', 'ignore'], proxyModes: ['nftables'], kubernetesVersions: [] },
  ]);
  expect(shards({ scenarios: ['drain', 'ignore'], proxyModes: ['iptables'] }).map(({ name }) => name)).toEqual([
    'drain-iptables',
    'ignore-iptables',
  ]);
});

test('a matrix without factors is one shard that leaves them to the provider', () => {
  expect(shards({ clusterReuse: 'shared', scenarios: ['drain', 'ignore'], proxyModes: [] })).toEqual([
    { name: 'all', scenarios: ['drain', 'ignore'], proxyModes: [], kubernetesVersions: [] },
  ]);
});

test('the shards run each arm of the plan once, under different names', () => {
  const changes = { proxyModes: modes, kubernetesVersions: ['v1.33.0', 'v1.34.0'] };
  const whole = planExperiment({ ...matrix, ...changes }, anyProvider, plugIns).arms.map(({ arm }) => arm.id);
  const parts = shards(changes).flatMap((shard) =>
    planExperiment({ ...matrix, ...shard, name: matrix.name }, anyProvider, plugIns).arms.map(({ arm }) => arm.id),
  );
  expect(parts.toSorted()).toEqual(whole.toSorted());
  const names = shards(changes).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([]);
});
