import type { KernelNeeds, ProxyMode, UnservedTcp } from '../domain/cluster.ts';
import type { NodeDataPlane, ServiceRules, Verification } from '../domain/data-plane.ts';
import { verifyNodes } from './verify-nodes.ts';

/** What each mode of kube-proxy leaves in a node's kernel. */
const traces = {
  iptables: { what: 'chains KUBE-SVC- of iptables', count: ({ iptablesChains }: ServiceRules) => iptablesChains },
  nftables: {
    what: 'chains of nftables table kube-proxy',
    count: ({ nftablesChains }: ServiceRules) => nftablesChains,
  },
  ipvs: { what: 'virtual services of IP_VS', count: ({ ipvsServices }: ServiceRules) => ipvsServices },
} as const;
export type KubeProxyMode = keyof typeof traces;
const kubeProxyModes: readonly KubeProxyMode[] = ['iptables', 'nftables', 'ipvs'];

/** What CleanStaleEntries passes over is all but UDP: conntrack's entries of TCP go on leading to the pod. */
const keptByConntrack = {
  fate: 'kept',
  source: 'https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/proxy/conntrack/cleanup.go',
} as const;

/** A mode that kube-proxy itself has, under its own name. */
export const kubeProxyMode = (
  name: KubeProxyMode,
  description: string,
  kernel: KernelNeeds,
  unservedTcp: UnservedTcp = keptByConntrack,
): ProxyMode => ({
  name,
  description,
  unservedTcp,
  kernel,
  configure: (spec) => ({ ...spec, proxyMode: name, kubeProxy: name }),
  verify: (nodes) => verifyNodes(nodes, (node) => verifyNode(name, node)),
});

/** kube-proxy's own answer decides; where the kernel's rules were read, they must bear it out. */
function verifyNode(asked: KubeProxyMode, { node, kubeProxyMode: mode, ...found }: NodeDataPlane): Verification {
  if (mode.status === 'not-measured') return { status: 'unverifiable', detail: mode.reason };
  if (mode.value === null) {
    return {
      status: 'unverifiable',
      detail: `no kube-proxy pod runs on node ${node}: it is replaced, or part of another program`,
    };
  }
  const report = `kube-proxy on ${node} reports ${mode.value}`;
  if (mode.value !== asked) return { status: 'unmet', detail: `${report}; asked for ${asked}` };
  const { ciliumReplacement: cilium, rules } = found;
  if (cilium.status === 'measured' && cilium.value === 'True') {
    return { status: 'unmet', detail: `${report}, but Cilium on it carries Services in its place` };
  }
  if (rules.status === 'not-measured') {
    return { status: 'met', detail: `${report}; its rules were not looked at (${rules.reason})` };
  }
  const own = traces[asked].count(rules.value);
  if (own === 0) return { status: 'unmet', detail: `${report}, but ${node} has no ${traces[asked].what}` };
  const foreign = foreignRules(rules.value, asked);
  if (foreign !== undefined) return { status: 'unmet', detail: `${report}, but ${node} has ${foreign} as well` };
  return { status: 'met', detail: `${report}, and has ${own} ${traces[asked].what}` };
}

/** Rules of a mode that is not in effect, in words; undefined where there are none. */
export function foreignRules(rules: ServiceRules, own: KubeProxyMode | undefined): string | undefined {
  const others = kubeProxyModes.filter((name) => name !== own && traces[name].count(rules) > 0);
  if (others.length === 0) return undefined;
  return others.map((name) => `${traces[name].count(rules)} ${traces[name].what}`).join(' and ');
}
