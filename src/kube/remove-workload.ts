import { setTimeout as delay } from 'node:timers/promises';
import { harnessError } from '../domain/errors.ts';
import type { KubernetesApi } from './api.ts';
import { apiStatusOf } from './api-error.ts';
import { type WorkloadNames, selectorOf } from './manifests.ts';

const goneWithinMs = 120_000;
const lookEveryMs = 250;

/** A request whose answer was lost may be carried out after its object was looked for. */
const lateLooks = 3;
const lateLookEveryMs = 1000;

/** The trial is over: what still drains is not waited for, but gets a SIGTERM and a second to go in order. */
const hurried = { gracePeriodSeconds: 1 } as const;

/**
 * Deletes what a deployment made and waits until it is gone, on a signal of its own: an aborted run cleans up too.
 * What is gone already is none of its errors. @throws {ActionableError} when it is not gone within 120 s
 */
export async function removeWorkload(api: KubernetesApi, names: WorkloadNames): Promise<void> {
  const signal = AbortSignal.timeout(goneWithinMs);
  const what = names.ownNamespace
    ? `namespace ${names.namespace}`
    : `objects of ${names.object} in namespace ${names.namespace}`;
  try {
    await (names.ownNamespace ? removeNamespace(api, names, signal) : removeObjects(api, names, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw harnessError(
      {
        expected: `${what} gone within ${goneWithinMs / 1000} s`,
        found: 'still there',
        remedy: `delete by hand: kubectl delete ${names.ownNamespace ? `namespace ${names.namespace}` : `deployment,service ${names.object} -n ${names.namespace}`}`,
      },
      error,
    );
  }
}

/** As `removeWorkload`, where the API server may still be making what it was asked for. */
export async function removeUncertain(api: KubernetesApi, names: WorkloadNames): Promise<void> {
  for (let look = 1; look <= lateLooks; look++) {
    await removeWorkload(api, names);
    if (look < lateLooks) await delay(lateLookEveryMs);
  }
}

async function removeNamespace(api: KubernetesApi, names: WorkloadNames, signal: AbortSignal): Promise<void> {
  const { namespace: name } = names;
  await unlessGone(
    api.repeatable(`delete namespace ${name}`, (options) => api.core.deleteNamespace({ name }, options), signal),
  );
  // a terminating namespace takes no new pods: what is hurried is not replaced, and gone before its controller, which
  // waits for 5 s (namespaceDeletionGracePeriod), looks
  await hurryPods(api, names, signal);
  const read = () =>
    api.repeatable(`read namespace ${name}`, (options) => api.core.readNamespace({ name }, options), signal);
  while ((await unlessGone(read())) !== undefined) await delay(lookEveryMs, undefined, { signal });
}

async function removeObjects(api: KubernetesApi, names: WorkloadNames, signal: AbortSignal): Promise<void> {
  const { namespace, object: name } = names;
  await unlessGone(
    api.repeatable(
      `delete Service ${name}`,
      (options) => api.core.deleteNamespacedService({ namespace, name }, options),
      signal,
    ),
  );
  // gone only once its ReplicaSet is: until then a deleted pod may be replaced
  await unlessGone(
    api.repeatable(
      `delete Deployment ${name}`,
      (options) => api.apps.deleteNamespacedDeployment({ namespace, name, propagationPolicy: 'Foreground' }, options),
      signal,
    ),
  );
  const labelSelector = selectorOf(names);
  for (;;) {
    await hurryPods(api, names, signal);
    const left = await api.repeatable(
      'list Pods',
      (options) => api.core.listNamespacedPod({ namespace, labelSelector }, options),
      signal,
    );
    const owner = () =>
      api.repeatable(
        `read Deployment ${name}`,
        (options) => api.apps.readNamespacedDeployment({ namespace, name }, options),
        signal,
      );
    if (left.items.length === 0 && (await unlessGone(owner())) === undefined) return;
    await delay(lookEveryMs, undefined, { signal });
  }
}

const hurryPods = (api: KubernetesApi, names: WorkloadNames, signal: AbortSignal) =>
  unlessGone(
    api.repeatable(
      `delete Pods in ${names.namespace}`,
      (options) =>
        api.core.deleteCollectionNamespacedPod(
          { namespace: names.namespace, labelSelector: selectorOf(names), ...hurried },
          options,
        ),
      signal,
    ),
  );

async function unlessGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (apiStatusOf(error) === 404) return undefined;
    throw error;
  }
}
