import { stringify } from 'yaml';
import type { ClusterSpec } from '../../domain/cluster.ts';
import { auditMount, auditPatches } from './evidence/audit.ts';

/**
 * kind's configuration (kind.x-k8s.io/v1alpha4): one control plane and the specification's workers.
 *
 * @param auditFolder folder of this machine that holds an audit policy, for the API server to log by; none without it
 */
export function clusterConfig({ kubeProxy, podNetwork, workers }: ClusterSpec, auditFolder?: string): string {
  const networking = {
    ...(kubeProxy !== undefined && { kubeProxyMode: kubeProxy }),
    ...(podNetwork === false && { disableDefaultCNI: true }),
  };
  return stringify({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    ...(Object.keys(networking).length > 0 && { networking }),
    nodes: [
      { role: 'control-plane', ...(auditFolder !== undefined && { extraMounts: [auditMount(auditFolder)] }) },
      ...Array.from({ length: workers }, () => ({ role: 'worker' })),
    ],
    ...(auditFolder !== undefined && { kubeadmConfigPatches: auditPatches }),
  });
}
