import { kubeProxyMode } from './kube-proxy-mode.ts';

export const iptables = kubeProxyMode('iptables', 'kube-proxy programs iptables rules.', { modules: [], options: [] });
