import { expect, test } from 'vitest';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { replacementOf } from '../../../src/kube/cilium-agent.ts';
import { periodsOf } from '../../../src/kube/kube-proxy.ts';
import { cniOf } from '../../../src/kube/nodes.ts';

const configz = (content: object) => measured(JSON.stringify({ 'kubeproxy.config.k8s.io': content }));
const own = {
  IPTables: { MinSyncPeriod: '1s', SyncPeriod: '30s' },
  NFTables: { MinSyncPeriod: '2s', SyncPeriod: '40s' },
};

test("the periods of kube-proxy's effective mode are read where its version puts them", () => {
  expect(periodsOf(configz({ MinSyncPeriod: '5s', SyncPeriod: '50s', IPTables: {} }), measured('iptables'))).toEqual({
    minSyncPeriod: measured('5s'),
    syncPeriod: measured('50s'),
  });
  expect(periodsOf(configz(own), measured('nftables')).minSyncPeriod).toEqual(measured('2s'));
  expect(periodsOf(configz(own), measured('iptables')).syncPeriod).toEqual(measured('30s'));
});

test('periods without a known mode, or in an unknown shape, are not measured', () => {
  expect(periodsOf(configz(own), notMeasured('no mode')).syncPeriod.status).toBe('not-measured');
  expect(periodsOf(measured('<html>'), measured('iptables')).minSyncPeriod.status).toBe('not-measured');
  const silent = notMeasured('no kube-proxy');
  expect(periodsOf(silent, measured('iptables'))).toEqual({ minSyncPeriod: silent, syncPeriod: silent });
});

const kubeProxy = { name: 'kube-proxy', image: 'kube-proxy:v1' };

test('the network plug-in is known by its DaemonSet, with the tag of its image', () => {
  const cni = (name: string, image: string) => cniOf([kubeProxy, { name, image }]);
  expect(cni('kindnet', 'docker.io/kindest/kindnetd:v20250512')).toEqual(measured('kindnet v20250512'));
  expect(cni('cilium', 'host:5000/cilium/cilium:v1.18.2@sha256:00')).toEqual(measured('Cilium v1.18.2'));
  expect(cni('calico-node', 'host:5000/calico/node')).toEqual(measured('Calico'));
});

test('a plug-in that is not known is not guessed', () => {
  expect(cniOf([kubeProxy]).status).toBe('not-measured');
});

test('Cilium’s agent says whether it replaces kube-proxy; a status that does not say so is no answer', () => {
  expect(replacementOf(JSON.stringify({ 'kube-proxy-replacement': { mode: 'True', devices: [] } }))).toEqual(
    measured('True'),
  );
  expect(replacementOf(JSON.stringify({ cilium: { state: 'Ok' } })).status).toBe('not-measured');
  expect(replacementOf('KubeProxyReplacement: True').status).toBe('not-measured');
});
