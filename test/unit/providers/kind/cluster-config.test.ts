import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { proxyModes } from '../../../../src/proxy-modes/index.ts';
import { clusterConfig } from '../../../../src/providers/kind/cluster-config.ts';

test('a cluster has one control plane and the workers that were asked for', () => {
  expect(parse(clusterConfig({ name: 'run', workers: 2 }))).toEqual({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: [{ role: 'control-plane' }, { role: 'worker' }, { role: 'worker' }],
  });
});

const configured = (name: string): unknown =>
  parse(clusterConfig(proxyModes.get(name).configure({ name: 'run', workers: 0 })));

test.each(['iptables', 'nftables', 'ipvs'])('kube-proxy runs in mode %s from its first start', (name) => {
  expect(configured(name)).toMatchObject({ networking: { kubeProxyMode: name } });
});

test('a mode that something is installed for has no kube-proxy, and no network but its own', () => {
  const installed = [...proxyModes].filter(({ install }) => install !== undefined).map(({ name }) => name);
  expect(installed).toContain('cilium');
  for (const name of installed) {
    expect(configured(name)).toMatchObject({ networking: { kubeProxyMode: 'none', disableDefaultCNI: true } });
  }
});

test('where no mode is asked for, kube-proxy keeps its own default', () => {
  expect(clusterConfig({ name: 'run', workers: 0 })).not.toContain('networking');
});
