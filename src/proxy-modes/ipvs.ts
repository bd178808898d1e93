import { kubeProxyMode } from './kube-proxy-mode.ts';

export const ipvs = kubeProxyMode('ipvs', "kube-proxy programs the kernel's IP virtual server.", {
  // rr: the scheduler that kube-proxy takes by default
  modules: ['ip_vs', 'ip_vs_rr'],
  options: [],
});
