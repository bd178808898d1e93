import type { ProxyMode } from '../domain/cluster.ts';

export const nftables: ProxyMode = {
  name: 'nftables',
  description: 'kube-proxy programs nftables rules (stable since Kubernetes v1.33).',
  kernelModules: [],
  configure: (spec) => ({ ...spec, proxyMode: 'nftables' }),
};
