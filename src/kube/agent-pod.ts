import { setTimeout as delay } from 'node:timers/promises';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import { agentManifest, agentPort, type AgentManifestOptions } from './agent-manifest.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';
import type { WorkloadNames } from './manifests.ts';
import { podFailure } from './pod-failure.ts';
import { parsePod, type PodState } from './pod-state.ts';
import { askThroughPod, type ForwardTarget } from './port-forward.ts';

/** A scheduler that has a node for the pod names it at once. */
const schedulingPatienceMs = 3_000;
const startedWithinMs = 60_000;
const lookEveryMs = 200;

/** Starts a client pod and waits until it answers; the reason when it can't be had. @throws only the abort reason */
export async function startAgent(
  api: KubernetesApi,
  names: WorkloadNames,
  options: AgentManifestOptions,
  signal: AbortSignal,
): Promise<Measured<ForwardTarget>> {
  const where = options.place === 'same-node' ? `node ${options.node}` : `a node other than ${options.node}`;
  try {
    const pod = await createPod(api, names, options, signal);
    const target = { namespace: names.namespace, pod, port: agentPort };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(startedWithinMs)]);
    const unplaced = await untilRunning(api, target, options.image.probeImage, deadline);
    if (unplaced !== null) return notMeasured(`no client runs on ${where}: ${unplaced}`);
    await untilAnswering(api, target, deadline);
    return measured(target);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`no client runs on ${where}: ${reasonOf(error)}`);
  }
}

async function createPod(
  api: KubernetesApi,
  names: WorkloadNames,
  options: AgentManifestOptions,
  signal: AbortSignal,
): Promise<string> {
  const { namespace } = names;
  const body = agentManifest(names, options);
  const { metadata } = await api.once(
    `create a client Pod in ${namespace}`,
    (callOptions) => api.core.createNamespacedPod({ namespace, body }, callOptions),
    signal,
  );
  if (metadata?.name === undefined) throw new Error('the API server gave the pod no name');
  return metadata.name;
}

/** Null once its container runs; why no node takes it, where none does. @throws when it will not run */
async function untilRunning(
  api: KubernetesApi,
  { namespace, pod: name }: ForwardTarget,
  image: string,
  signal: AbortSignal,
): Promise<string | null> {
  const began = performance.now();
  for (;;) {
    const pod: PodState = parsePod(
      await api.repeatable(
        `read Pod ${name}`,
        (options) => api.core.readNamespacedPod({ namespace, name }, options),
        signal,
      ),
    );
    const waitedMs = performance.now() - began;
    if (pod.containerRunning) return null;
    if (pod.unschedulable !== null && waitedMs > schedulingPatienceMs) return pod.unschedulable;
    const failure = podFailure(pod, image, waitedMs);
    if (failure !== undefined) throw failure;
    await delay(lookEveryMs, undefined, { signal });
  }
}

/** A container runs before the program in it listens. */
async function untilAnswering(api: KubernetesApi, target: ForwardTarget, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await askThroughPod(api, target, { method: 'GET', path: '/healthz' }, signal);
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(lookEveryMs, undefined, { signal });
    }
  }
}
