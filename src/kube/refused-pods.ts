import { setTimeout as delay } from 'node:timers/promises';
import { requirementError } from '../domain/errors.ts';
import type { KubernetesApi } from './api.ts';
import type { WorkloadNames } from './manifests.ts';
import type { Observation } from './observation.ts';

/** A pod is made within a second or so; without one after this long, the Deployment is asked why. */
const patienceMs = 5000;

/**
 * Awaits `task`, unless the Deployment says that its pod may not be made (a quota, an admission rule): no watch of pods
 * would ever tell. @throws {ActionableError} of kind `requirement` with the API server's reason
 */
export async function unlessRefused<T>(
  api: KubernetesApi,
  names: WorkloadNames,
  observation: Observation,
  signal: AbortSignal,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const settled = new AbortController();
  const limited = AbortSignal.any([signal, settled.signal]);
  try {
    return await Promise.race([task(limited), untilRefused(api, names, observation, limited)]);
  } finally {
    settled.abort();
  }
}

async function untilRefused(
  api: KubernetesApi,
  { namespace, object: name }: WorkloadNames,
  observation: Observation,
  signal: AbortSignal,
): Promise<never> {
  for (;;) {
    await delay(patienceMs, undefined, { signal });
    if (observation.view.pods.size > 0) continue;
    const { status } = await api.repeatable(
      `read Deployment ${name}`,
      (options) => api.apps.readNamespacedDeployment({ namespace, name }, options),
      signal,
    );
    const failure = status?.conditions?.find((condition) => condition.type === 'ReplicaFailure');
    if (failure?.status !== 'True') continue;
    throw requirementError({
      expected: `namespace ${namespace} takes a pod that meets the restricted Pod Security Standard`,
      found: failure.message ?? failure.reason ?? 'refused without a reason',
      remedy: "change the namespace's quota or admission rules, or use another namespace",
    });
  }
}
