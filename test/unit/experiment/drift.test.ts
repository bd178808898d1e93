import { expect, test } from 'vitest';
import type { Environment } from '../../../src/domain/environment.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { driftAcrossArms, driftBetween } from '../../../src/experiment/drift.ts';
import { environmentOf } from '../../fixtures/trial-report.ts';

const within = (...environments: readonly Partial<Environment>[]) =>
  driftBetween(environments.map(environmentOf), { acrossArms: false });
const across = (...environments: readonly Partial<Environment>[]) =>
  driftBetween(environments.map(environmentOf), { acrossArms: true });

const node = {
  name: 'worker',
  role: 'worker',
  kernel: '6.8.0',
  osImage: 'Debian 12',
  containerRuntime: 'containerd://2.1.3',
  kubelet: 'v1.34.0',
} as const;
const client = { kernel: '6.1', node: 'v24', cpus: 2, architecture: 'x64' };

test('what could not be read differs from nothing', () => {
  const unread = notMeasured('forbidden');
  const blind = {
    kubernetesVersion: unread,
    proxyMode: unread,
    proxySyncPeriod: unread,
    cni: unread,
    probeImage: unread,
  };
  expect(within({}, blind, {})).toEqual([]);
  expect(within({ nodes: [node] }, { nodes: [] })).toEqual([]);
  expect(within({ sysctls: measured({ a: '0' }) }, { sysctls: unread })).toEqual([]);
});

test('values that were read differ, whatever lies between them unread', () => {
  expect(within({}, { cni: notMeasured('forbidden') }, { cni: measured('cilium') })).toEqual([
    'CNI differs between trials: kindnet / cilium',
  ]);
});

test.each<readonly [string, Partial<Environment>, Partial<Environment>]>([
  ['kubelet', { nodes: [node] }, { nodes: [{ ...node, kubelet: 'v1.34.1' }] }],
  ['node operating systems', { nodes: [node] }, { nodes: [{ ...node, osImage: 'Debian 13' }] }],
  ['number of nodes', { nodes: [node] }, { nodes: [node, { ...node, name: 'other' }] }],
  ['proxy syncPeriod', {}, { proxySyncPeriod: measured('1m') }],
  ['proxy minSyncPeriod', {}, { proxyMinSyncPeriod: measured('0s') }],
  ['client CPUs', {}, { client: { ...client, cpus: 4 } }],
  ['client architecture', {}, { client: { ...client, architecture: 'arm64' } }],
  [
    'path',
    { path: 'client → node 172.18.0.2 (InternalIP) : NodePort' },
    { path: 'client → 10.0.0.1 (given address) : NodePort' },
  ],
  [
    'net.be_liberal',
    { sysctls: measured({ 'net.be_liberal': '0' }) },
    { sysctls: measured({ 'net.be_liberal': '1' }) },
  ],
  ['Docker', { hostTools: measured({ Docker: '29.0.0' }) }, { hostTools: measured({ Docker: '29.1.0' }) }],
])('repeats with another %s are not one experiment', (name, one, other) => {
  expect(within(one, other)).toEqual([expect.stringMatching(new RegExp(`^${name} differs between trials: .+ / .+$`))]);
});

test('another address of the same kind is the same path', () => {
  const path = (address: string) => ({ path: `client → node ${address} (InternalIP) : NodePort` });
  expect(within(path('172.18.0.2'), path('172.18.0.3'))).toEqual([]);
});

test('a sysctl that only one of the kernels has is no difference', () => {
  const sysctls = (names: Readonly<Record<string, string>>) => ({ sysctls: measured(names) });
  expect(within(sysctls({ a: '0' }), sysctls({ a: '0', b: '1' }))).toEqual([]);
});

test('what a proxy mode or a version brings with it may differ across arms, and nothing else', () => {
  const nftables = {
    proxyMode: measured('nftables'),
    proxyMinSyncPeriod: measured('2s'),
    sysctls: measured({ a: '1' }),
  };
  expect(across({ sysctls: measured({ a: '0' }) }, nftables)).toEqual([]);
  expect(across({}, { client: { ...client, cpus: 4 } })).toEqual(['client CPUs differs between trials: 2 / 4']);
});

test('what a level brings along may differ between levels, and not within one', () => {
  const cilium = environmentOf({ cni: measured('cilium'), proxyMode: measured('cilium') });
  const at = (levels: string, environment: Environment) => ({ levels, environment });
  expect(driftAcrossArms([at('iptables', environmentOf()), at('cilium', cilium)])).toEqual([]);
  expect(driftAcrossArms([at('iptables', environmentOf()), at('iptables', cilium)])).toEqual([
    'CNI differs between trials: kindnet / cilium',
  ]);
});
