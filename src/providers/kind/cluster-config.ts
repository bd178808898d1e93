import { stringify } from 'yaml';
import type { ClusterSpec } from '../../domain/cluster.ts';

const kubeProxyModes: readonly string[] = ['iptables', 'nftables', 'ipvs'];

/** kind's configuration (kind.x-k8s.io/v1alpha4): one control plane and the specification's workers. */
export function clusterConfig(spec: ClusterSpec): string {
  const mode = spec.proxyMode;
  return stringify({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    // what stands in kube-proxy's place is installed by its own plug-in, and is no value of this field
    ...(mode !== undefined && kubeProxyModes.includes(mode) && { networking: { kubeProxyMode: mode } }),
    nodes: [{ role: 'control-plane' }, ...Array.from({ length: spec.workers }, () => ({ role: 'worker' }))],
  });
}
