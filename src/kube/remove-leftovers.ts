import { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';
import { loadKubeconfig } from './kubeconfig.ts';
import type { ReachOptions } from './kubernetes-cluster.ts';
import { ownSelector, type WorkloadNames } from './manifests.ts';
import { isAbandoned, type Owned } from './owner.ts';
import { removeWorkload } from './remove-workload.ts';

/**
 * Removes what a run that was killed left in an existing cluster, and gives the names. Only objects that carry this
 * project's label and begin with the run's own name are touched, whoever answers for them: the caller knows that the run is over.
 *
 * @param run how the names of the run's workloads begin, as `drainwatch-0a1b2c3d`; a hyphen and their number follow
 * @throws {ActionableError} when the cluster can't be asked, or something does not go
 */
export async function removeLeftovers(
  options: ReachOptions,
  run: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  using api = new KubernetesApi(loadKubeconfig(options));
  const left = (await workloadsOf(api, options.namespace, signal)).filter(({ names: { object } }) =>
    object.startsWith(`${run}-`),
  );
  for (const { names } of left) await removeWorkload(api, names);
  return left.map(({ names }) => describe(names));
}

/**
 * Removes what any run left whose process is dead (`isAbandoned`), and gives the names; a living run's objects stay.
 * What can't be listed or removed is told of and left: it stands in nobody's way, since names are never used twice.
 *
 * @throws {ActionableError} of kind `input` for a bad kubeconfig; the abort reason when `signal` aborts
 */
export async function removeAbandoned(
  options: ReachOptions,
  notice: (text: string) => void,
  signal: AbortSignal,
): Promise<readonly string[]> {
  using api = new KubernetesApi(loadKubeconfig(options));
  const removed: string[] = [];
  for (const names of await abandonedWorkloads(api, options.namespace, notice, signal)) {
    signal.throwIfAborted();
    try {
      await removeWorkload(api, names);
      removed.push(describe(names));
      notice(`removed ${describe(names)}, which a run that was killed had left`);
    } catch (error) {
      notice(`${describe(names)}, left by a run that was killed, is still there: ${reasonOf(error)}`);
    }
  }
  return removed;
}

async function abandonedWorkloads(
  api: KubernetesApi,
  namespace: string | undefined,
  notice: (text: string) => void,
  signal: AbortSignal,
): Promise<readonly WorkloadNames[]> {
  try {
    const workloads = await workloadsOf(api, namespace, signal);
    const now = new Date();
    return workloads.filter(({ parts }) => parts.every((part) => isAbandoned(part, now))).map(({ names }) => names);
  } catch (error) {
    signal.throwIfAborted();
    notice(`what runs that were killed left in the cluster is not removed: ${reasonOf(error)}`);
    return [];
  }
}

const describe = ({ namespace, object, ownNamespace }: WorkloadNames): string =>
  ownNamespace ? namespace : `${object} in ${namespace}`;

/** A workload by what was found of it: its namespace, or its Service and Deployment. */
interface Found {
  readonly names: WorkloadNames;
  readonly parts: readonly Owned[];
}

async function workloadsOf(
  api: KubernetesApi,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const labelSelector = ownSelector;
  if (namespace === undefined) {
    const { items } = await api.repeatable(
      'list namespaces',
      (options) => api.core.listNamespace({ labelSelector }, options),
      signal,
    );
    return foundIn(items, (name) => ({ namespace: name, ownNamespace: true, object: name, run: name }));
  }
  // creation begins with the Service, and so does removal: either may be all that is left
  const [services, deployments] = await Promise.all([
    api.repeatable(
      `list Services in ${namespace}`,
      (options) => api.core.listNamespacedService({ namespace, labelSelector }, options),
      signal,
    ),
    api.repeatable(
      `list Deployments in ${namespace}`,
      (options) => api.apps.listNamespacedDeployment({ namespace, labelSelector }, options),
      signal,
    ),
  ]);
  const items: readonly Listed[] = [...services.items, ...deployments.items];
  return foundIn(items, (object) => ({ namespace, ownNamespace: false, object, run: object }));
}

interface Listed {
  readonly metadata?: Owned & { readonly name?: string; readonly deletionTimestamp?: Date };
}

/** What is being deleted already is somebody's work, and left to them. */
function foundIn(items: readonly Listed[], namesOf: (name: string) => WorkloadNames): readonly Found[] {
  const byName = new Map<string, Owned[]>();
  for (const { metadata } of items) {
    if (metadata?.name === undefined || metadata.deletionTimestamp !== undefined) continue;
    byName.set(metadata.name, [...(byName.get(metadata.name) ?? []), metadata]);
  }
  return [...byName].map(([name, parts]) => ({ names: namesOf(name), parts }));
}
