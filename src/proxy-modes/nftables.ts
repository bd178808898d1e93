import { kubeProxyMode } from './kube-proxy-mode.ts';

export const nftables = kubeProxyMode(
  'nftables',
  'kube-proxy programs nftables rules (stable since Kubernetes v1.33).',
  // what kube-proxy itself asks for (pkg/util/kernel, NFTablesKubeProxyKernelVersion)
  { release: '5.13', modules: [], options: [] },
);
