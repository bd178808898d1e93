import { KubernetesApi } from './api.ts';
import { loadKubeconfig } from './kubeconfig.ts';
import type { ReachOptions } from './kubernetes-cluster.ts';
import { ownSelector, type WorkloadNames } from './manifests.ts';
import { removeWorkload } from './remove-workload.ts';

/**
 * Removes what a run that was killed left in an existing cluster, and gives the names. Only objects that carry this
 * project's label and begin with the run's own name are touched.
 *
 * @param runId what the run's workloads are called by, before a hyphen and their number
 * @throws {ActionableError} when the cluster can't be asked, or something does not go
 */
export async function removeLeftovers(
  options: ReachOptions,
  runId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  using api = new KubernetesApi(loadKubeconfig(options));
  const left = (await workloadsOf(api, options.namespace, signal)).filter(({ object }) =>
    object.startsWith(`drainwatch-${runId}-`),
  );
  for (const names of left) await removeWorkload(api, names);
  return left.map(({ namespace, object, ownNamespace }) => (ownNamespace ? namespace : `${object} in ${namespace}`));
}

async function workloadsOf(
  api: KubernetesApi,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly WorkloadNames[]> {
  const labelSelector = ownSelector;
  if (namespace === undefined) {
    const { items } = await api.repeatable(
      'list namespaces',
      (options) => api.core.listNamespace({ labelSelector }, options),
      signal,
    );
    return namesOf(items).map((name) => ({ namespace: name, ownNamespace: true, object: name, run: name }));
  }
  // the Service of a workload is made first: where it is missing there is nothing
  const { items } = await api.repeatable(
    `list Services in ${namespace}`,
    (options) => api.core.listNamespacedService({ namespace, labelSelector }, options),
    signal,
  );
  return namesOf(items).map((object) => ({ namespace, ownNamespace: false, object, run: object }));
}

const namesOf = (items: readonly { readonly metadata?: { readonly name?: string } }[]): readonly string[] =>
  items.flatMap(({ metadata }) => metadata?.name ?? []);
