import type { Cluster, ClusterSpec } from '../domain/cluster.ts';
import { describeError } from '../domain/errors.ts';
import type { ClusterGroup } from './plan.ts';
import type { ProgressSink } from './progress.ts';

/** The cluster that a group of arms needs. */
export function clusterSpecOf(
  { proxyMode, kubernetesVersion, evidence }: Pick<ClusterGroup, 'proxyMode' | 'kubernetesVersion' | 'evidence'>,
  name: string,
  shared: Pick<ClusterSpec, 'nodeImage' | 'workers'>,
): ClusterSpec {
  const spec: ClusterSpec = {
    name,
    ...shared,
    ...(kubernetesVersion === null ? {} : { kubernetesVersion }),
    ...(evidence ? { evidence } : {}),
  };
  return proxyMode === null ? spec : proxyMode.configure(spec);
}

/** Closes a cluster. One that can't be removed is told of, and ends nothing else. */
export async function closeCluster(cluster: Cluster, name: string, onProgress: ProgressSink): Promise<void> {
  onProgress({ kind: 'cluster-closing', cluster: name });
  try {
    await cluster[Symbol.asyncDispose]();
  } catch (error) {
    onProgress({ kind: 'removal-failed', what: cluster.name, reason: describeError(error) });
  }
}
