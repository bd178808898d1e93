import { stringify } from 'yaml';
import type { ClusterSpec } from '../../domain/cluster.ts';

/** kind's configuration (kind.x-k8s.io/v1alpha4): one control plane and the specification's workers. */
export function clusterConfig({ proxyMode, workers }: ClusterSpec): string {
  return stringify({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    ...(proxyMode !== undefined && { networking: { kubeProxyMode: proxyMode } }),
    nodes: [{ role: 'control-plane' }, ...Array.from({ length: workers }, () => ({ role: 'worker' }))],
  });
}
