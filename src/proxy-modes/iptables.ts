import type { ProxyMode } from '../domain/cluster.ts';

export const iptables: ProxyMode = {
  name: 'iptables',
  description: 'kube-proxy programs iptables rules.',
  kernelModules: [],
  configure: (spec) => ({ ...spec, proxyMode: 'iptables' }),
};
