import type { Termination } from '../domain/trigger.ts';
import { type KubernetesApi, asMergePatch } from './api.ts';
import { type WorkloadNames, evictionManifest } from './manifests.ts';

/** The requests that end a pod. None is ever sent twice: a trial has one trigger. */
export function kubernetesTermination(
  api: KubernetesApi,
  { namespace, object }: WorkloadNames,
  pod: string,
): Termination {
  return {
    async deletePod(signal) {
      await api.once(
        `delete Pod ${pod}`,
        (options) => api.core.deleteNamespacedPod({ namespace, name: pod }, options),
        signal,
      );
    },
    async evictPod(signal) {
      const body = evictionManifest(namespace, pod);
      await api.once(
        `evict Pod ${pod}`,
        (options) => api.core.createNamespacedPodEviction({ namespace, name: pod, body }, options),
        signal,
      );
    },
    async scaleToZero(signal) {
      const body = { spec: { replicas: 0 } };
      await api.once(
        `scale Deployment ${object} to zero`,
        (options) => api.apps.patchNamespacedDeploymentScale({ namespace, name: object, body }, asMergePatch(options)),
        signal,
      );
    },
  };
}
