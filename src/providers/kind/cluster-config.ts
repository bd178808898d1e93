import { stringify } from 'yaml';
import type { ClusterSpec } from '../../domain/cluster.ts';

/** kind's configuration (kind.x-k8s.io/v1alpha4): one control plane and the specification's workers. */
export function clusterConfig({ kubeProxy, podNetwork, workers }: ClusterSpec): string {
  const networking = {
    ...(kubeProxy !== undefined && { kubeProxyMode: kubeProxy }),
    ...(podNetwork === false && { disableDefaultCNI: true }),
  };
  return stringify({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    ...(Object.keys(networking).length > 0 && { networking }),
    nodes: [{ role: 'control-plane' }, ...Array.from({ length: workers }, () => ({ role: 'worker' }))],
  });
}
