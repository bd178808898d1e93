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

test.each(proxyModes.names())('kube-proxy runs in mode %s from its first start', (proxyMode) => {
  expect(parse(clusterConfig({ name: 'run', workers: 0, proxyMode }))).toMatchObject({
    networking: { kubeProxyMode: proxyMode },
  });
});

test('where no mode is asked for, kube-proxy keeps its own default', () => {
  expect(clusterConfig({ name: 'run', workers: 0 })).not.toContain('networking');
});
