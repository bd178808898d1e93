import type { ProxyMode } from '../domain/cluster.ts';

export const ipvs: ProxyMode = {
  name: 'ipvs',
  description: "kube-proxy programs the kernel's IP virtual server.",
  kernelModules: ['ip_vs', 'ip_vs_rr'],
  configure: (spec) => ({ ...spec, proxyMode: 'ipvs' }),
};
