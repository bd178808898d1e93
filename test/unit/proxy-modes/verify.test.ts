import { describe, expect, test } from 'vitest';
import type { NodeDataPlane, ServiceRules } from '../../../src/domain/data-plane.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { proxyModes } from '../../../src/proxy-modes/index.ts';

const rules = (found: Partial<ServiceRules>) =>
  measured({ iptablesChains: 0, nftablesChains: 0, ipvsServices: 0, ...found });
const unread = notMeasured('no commands on nodes');

/** A node on which each mode truly runs. */
const running: Readonly<Record<string, NodeDataPlane>> = {
  iptables: {
    node: 'a',
    kubeProxyMode: measured('iptables'),
    ciliumReplacement: measured(null),
    rules: rules({ iptablesChains: 9 }),
  },
  nftables: {
    node: 'a',
    kubeProxyMode: measured('nftables'),
    ciliumReplacement: measured(null),
    rules: rules({ nftablesChains: 31 }),
  },
  ipvs: {
    node: 'a',
    kubeProxyMode: measured('ipvs'),
    ciliumReplacement: measured(null),
    rules: rules({ ipvsServices: 4 }),
  },
  cilium: { node: 'a', kubeProxyMode: measured(null), ciliumReplacement: measured('True'), rules: rules({}) },
};
const nodeOf = (mode: string): NodeDataPlane => running[mode] ?? expect.fail(`no example of mode ${mode}`);
const statusOf = (mode: string, ...nodes: readonly NodeDataPlane[]) => proxyModes.get(mode).verify(nodes).status;

describe.each(proxyModes.names())('proxy mode %s', (mode) => {
  test('is met by its own running thing and by no other’s', () => {
    const met = proxyModes.names().filter((other) => statusOf(mode, nodeOf(other)) === 'met');
    expect(met).toEqual([mode]);
  });

  test('is met where the rules of nodes can’t be read, and says so', () => {
    const found = proxyModes.get(mode).verify([{ ...nodeOf(mode), rules: unread }]);
    expect(found).toEqual({ status: 'met', detail: expect.stringContaining('no commands on nodes') as string });
  });

  test('is unmet by one node of several that runs another', () => {
    const others = proxyModes.names().filter((other) => other !== mode);
    for (const other of others) {
      expect(statusOf(mode, nodeOf(mode), { ...nodeOf(other), node: 'b' })).not.toBe('met');
    }
  });

  test('is unverifiable where the running thing does not answer, and where no node was looked at', () => {
    const silent = { ...nodeOf(mode), kubeProxyMode: notMeasured('silent'), ciliumReplacement: notMeasured('silent') };
    expect(statusOf(mode, silent)).toBe('unverifiable');
    expect(statusOf(mode)).toBe('unverifiable');
  });

  test('is unmet where the kernel holds rules of another mode as well', () => {
    const foreign = mode === 'nftables' ? { iptablesChains: 1 } : { nftablesChains: 1 };
    const own = nodeOf(mode).rules;
    const both = own.status === 'measured' ? rules({ ...own.value, ...foreign }) : own;
    expect(statusOf(mode, { ...nodeOf(mode), rules: both })).toBe('unmet');
  });
});

test.each(['iptables', 'nftables', 'ipvs'])('%s is unmet where kube-proxy says so but has no rules', (mode) => {
  expect(proxyModes.get(mode).verify([{ ...nodeOf(mode), rules: rules({}) }])).toEqual({
    status: 'unmet',
    detail: expect.stringContaining(`reports ${mode}, but a has no `) as string,
  });
});

test('a kube-proxy that fell back is named with what was asked for', () => {
  expect(proxyModes.get('nftables').verify([nodeOf('iptables')])).toEqual({
    status: 'unmet',
    detail: 'kube-proxy on a reports iptables; asked for nftables',
  });
});

test('Cilium beside a kube-proxy is not in its place, whichever of the two was asked for', () => {
  const both = { ...nodeOf('iptables'), ciliumReplacement: measured('True') };
  expect(statusOf('cilium', both)).toBe('unmet');
  expect(statusOf('iptables', both)).toBe('unmet');
  expect(statusOf('iptables', { ...both, ciliumReplacement: measured('False') })).toBe('met');
});
