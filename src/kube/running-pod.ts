import { type Measured, measured, notMeasured } from '../domain/measured.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';

export interface PodQuery {
  readonly node: string;
  readonly namespace: string;
  /** Label selectors, tried in turn. */
  readonly selectors: readonly string[];
}

/** The name of the running pod of that kind on a node; undefined where there is none. */
export async function runningPodOn(
  api: KubernetesApi,
  { node, namespace, selectors }: PodQuery,
  signal: AbortSignal,
): Promise<Measured<string | undefined>> {
  const fieldSelector = `spec.nodeName=${node}`;
  try {
    for (const labelSelector of selectors) {
      const { items } = await api.repeatable(
        `list Pods in ${namespace}`,
        (options) => api.core.listNamespacedPod({ namespace, labelSelector, fieldSelector }, options),
        signal,
      );
      // one that is being replaced may still answer
      const running = items.filter(
        ({ status, metadata }) => status?.phase === 'Running' && !metadata?.deletionTimestamp,
      );
      const name = running[0]?.metadata?.name;
      if (name !== undefined) return measured(name);
    }
    return measured(undefined);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`pods (${selectors.join(', ')}) of node ${node} could not be looked up: ${reasonOf(error)}`);
  }
}
