import { kubeProxyMode } from './kube-proxy-mode.ts';

export const ipvs = kubeProxyMode(
  'ipvs',
  "kube-proxy programs the kernel's IP virtual server.",
  {
    // rr: the scheduler that kube-proxy takes by default
    modules: ['ip_vs', 'ip_vs_rr'],
    options: [],
  },
  // a real server that is no longer chosen gets weight 0 and goes when its last TCP connection has
  {
    fate: 'kept',
    source: 'https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/proxy/ipvs/graceful_termination.go',
  },
);
