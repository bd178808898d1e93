import { z } from 'zod';
import { type Measured, measured, notMeasured } from '../domain/measured.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';
import { execInPod } from './exec-in-pod.ts';
import { runningPodOn } from './running-pod.ts';

const namespace = 'kube-system';
const selectors = ['k8s-app=cilium'] as const;
const container = 'cilium-agent';

/** Cilium's API, StatusResponse (api/v1/models/status_response.go); `mode` is `True` or `False`. */
const statusSchema = z.object({ 'kube-proxy-replacement': z.object({ mode: z.string().min(1) }) });

/**
 * Whether the running Cilium agent of a node carries Services in kube-proxy's place, as its status says: `True` or
 * `False`; null where no agent runs.
 */
export async function askCilium(
  api: KubernetesApi,
  node: string,
  signal: AbortSignal,
): Promise<Measured<string | null>> {
  const pod = await runningPodOn(api, { node, namespace, selectors }, signal);
  if (pod.status === 'not-measured') return pod;
  if (pod.value === undefined) return measured(null);
  try {
    const target = { namespace, pod: pod.value, container };
    return replacementOf(await execInPod(api, target, ['cilium-dbg', 'status', '--output', 'json'], signal));
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`Cilium's agent on node ${node} did not tell its status: ${reasonOf(error)}`);
  }
}

/** Pure part of `askCilium`. */
export function replacementOf(status: string): Measured<string> {
  try {
    return measured(statusSchema.parse(JSON.parse(status))['kube-proxy-replacement'].mode);
  } catch {
    return notMeasured("the status of Cilium's agent names no kube-proxy replacement");
  }
}
