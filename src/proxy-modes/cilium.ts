import type { ChartInstallation, ProxyMode } from '../domain/cluster.ts';
import type { NodeDataPlane, Verification } from '../domain/data-plane.ts';
import { foreignRules } from './kube-proxy-mode.ts';
import { verifyNodes } from './verify-nodes.ts';

/** Cilium with nothing that a trial does not need: no Envoy, no Hubble, no host firewall; NodePorts by SNAT. */
const chart: ChartInstallation = {
  chart: 'cilium',
  repository: 'https://helm.cilium.io',
  version: '1.18.2',
  sha256: '39b62a72f0892dd16548bd08ee97d5db2e975f7c1f57155578a144186e22992f',
  namespace: 'kube-system',
  // the agents wait for what the operator makes
  rollouts: ['daemonset/cilium'],
  values: ({ host, port }) => ({
    kubeProxyReplacement: true,
    k8sServiceHost: host,
    k8sServicePort: port,
    ipam: { mode: 'kubernetes' },
    image: { pullPolicy: 'IfNotPresent' },
    operator: { replicas: 1 },
    bpf: { masquerade: true },
    hostFirewall: { enabled: false },
    l7Proxy: false,
    envoy: { enabled: false },
    hubble: { enabled: false },
  }),
};

/** eBPF is no mode of kube-proxy: this level of the factor is the program that replaces kube-proxy. */
export const cilium: ProxyMode = {
  name: 'cilium',
  description: 'Cilium carries Services in eBPF, and there is no kube-proxy.',
  // ParseEndpointSliceV1 passes over such an endpoint, so that its next packet selects another backend (lb4_local)
  unservedTcp: {
    fate: 'sent-elsewhere',
    source: 'https://github.com/cilium/cilium/blob/v1.18.2/pkg/k8s/endpoints.go',
  },
  // Cilium's documentation, System Requirements: base, and tunnelling with VXLAN
  kernel: {
    release: '5.10',
    modules: [],
    options: [
      'CONFIG_BPF',
      'CONFIG_BPF_SYSCALL',
      'CONFIG_BPF_JIT',
      'CONFIG_NET_CLS_BPF',
      'CONFIG_NET_CLS_ACT',
      'CONFIG_NET_SCH_INGRESS',
      'CONFIG_CGROUP_BPF',
      'CONFIG_VXLAN',
    ],
  },
  configure: (spec) => ({ ...spec, proxyMode: 'cilium', kubeProxy: 'none', podNetwork: false }),
  install: chart,
  verify: (nodes) => verifyNodes(nodes, verifyNode),
};

function verifyNode({ node, ciliumReplacement, kubeProxyMode, rules }: NodeDataPlane): Verification {
  if (ciliumReplacement.status === 'not-measured') return { status: 'unverifiable', detail: ciliumReplacement.reason };
  if (ciliumReplacement.value === null) return { status: 'unmet', detail: `no Cilium agent runs on node ${node}` };
  const report = `Cilium on ${node} reports kube-proxy replacement ${ciliumReplacement.value}`;
  if (ciliumReplacement.value !== 'True') return { status: 'unmet', detail: `${report}; asked for True` };
  if (kubeProxyMode.status === 'measured' && kubeProxyMode.value !== null) {
    return { status: 'unmet', detail: `${report}, but kube-proxy runs there in mode ${kubeProxyMode.value} as well` };
  }
  if (rules.status === 'not-measured') {
    return { status: 'met', detail: `${report}; rules of kube-proxy were not looked for (${rules.reason})` };
  }
  const foreign = foreignRules(rules.value, undefined);
  if (foreign !== undefined) return { status: 'unmet', detail: `${report}, but ${node} has ${foreign}` };
  return { status: 'met', detail: `${report}, and ${node} has no rules of kube-proxy` };
}
