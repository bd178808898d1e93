import type { NodeDataPlane } from '../domain/data-plane.ts';
import { notMeasured } from '../domain/measured.ts';
import { abortable } from './abortable.ts';
import type { KubernetesApi } from './api.ts';
import { askCilium } from './cilium-agent.ts';
import { askProxyMode } from './kube-proxy.ts';
import { listNodes } from './nodes.ts';
import type { KubernetesClusterOptions } from './options.ts';

/** Looks at what carries Services, on every node or on that of a pod. */
export type DataPlaneLook = (podNode: string, signal: AbortSignal) => Promise<readonly NodeDataPlane[]>;

type LookOptions = Pick<KubernetesClusterOptions, 'verifyEveryNode' | 'readServiceRules' | 'provider'>;

/**
 * Where every node is looked at, callers that come while a look is under way share it: trials beside each other would
 * else ask each node as many times.
 */
export function createDataPlaneLook(api: KubernetesApi, options: LookOptions): DataPlaneLook {
  let underWay: Promise<readonly NodeDataPlane[]> | undefined;
  const lookAll = async (podNode: string, signal: AbortSignal) => {
    const listed = await listNodes(api, signal);
    const names = listed.status === 'measured' ? listed.value.map(({ name }) => name) : [podNode];
    return Promise.all(names.map((name) => lookAt(api, options, name, signal)));
  };
  return async (podNode, signal) => {
    if (options.verifyEveryNode !== true) return [await lookAt(api, options, podNode, signal)];
    if (underWay !== undefined) {
      try {
        return await abortable(underWay, signal);
      } catch {
        // the other caller may have been aborted: then this one looks for itself
        signal.throwIfAborted();
        return lookAll(podNode, signal);
      }
    }
    const look = lookAll(podNode, signal);
    underWay = look;
    try {
      return await look;
    } finally {
      underWay = undefined;
    }
  };
}

async function lookAt(
  api: KubernetesApi,
  { readServiceRules, provider }: LookOptions,
  node: string,
  signal: AbortSignal,
): Promise<NodeDataPlane> {
  const [kubeProxyMode, ciliumReplacement, rules] = await Promise.all([
    askProxyMode(api, node, signal),
    askCilium(api, node, signal),
    readServiceRules?.(node, signal) ?? notMeasured(`the ${provider} provider runs no commands on nodes`),
  ]);
  return { node, kubeProxyMode, ciliumReplacement, rules };
}
