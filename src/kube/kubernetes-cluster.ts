import type { Cluster } from '../domain/cluster.ts';
import { inputError, requirementError } from '../domain/errors.ts';
import { KubernetesApi } from './api.ts';
import { apiStatusOf } from './api-error.ts';
import { createDataPlaneLook } from './data-plane.ts';
import { deployWorkload } from './deploy.ts';
import { readEnvironment } from './environment.ts';
import { loadKubeconfig } from './kubeconfig.ts';
import type { KubernetesClusterOptions } from './options.ts';
import type { PodState } from './pod-state.ts';

export type { KubernetesClusterOptions } from './options.ts';

/**
 * Opens a running cluster. Asks it one question, so that a dead, foreign or unwilling API server is told of here.
 * @throws {ActionableError} of kind `input` (kubeconfig, context, namespace) or `requirement` (the API server, its release)
 */
export async function openKubernetesCluster(options: KubernetesClusterOptions, signal: AbortSignal): Promise<Cluster> {
  const api = await reachApi(options, signal);
  let lastPod: PodState | undefined;
  const deployOptions = { ...options, lookAtDataPlane: createDataPlaneLook(api, options) };
  return {
    name: options.name,
    unobservable: {},
    ...(options.evidence === undefined ? {} : { evidence: options.evidence }),
    async deploy(spec, sink, deploySignal) {
      const { workload, pod } = await deployWorkload(api, deployOptions, spec, sink, deploySignal);
      lastPod = pod;
      return workload;
    },
    environment: (environmentSignal) => readEnvironment(api, options, lastPod, environmentSignal),
    async [Symbol.asyncDispose]() {
      api[Symbol.dispose]();
      await options.onDispose();
    },
  };
}

/** What is needed to ask a cluster whether it is there. */
export type ReachOptions = Pick<KubernetesClusterOptions, 'kubeconfigPath' | 'context' | 'namespace'>;

/** The version of the API server that a kubeconfig leads to. @throws {ActionableError} as openKubernetesCluster does */
export async function askVersion(
  options: ReachOptions,
  signal: AbortSignal,
): Promise<{ version: string; server: string }> {
  using api = new KubernetesApi(loadKubeconfig(options));
  return { version: await versionOf(api, signal), server: api.server };
}

async function reachApi(options: KubernetesClusterOptions, signal: AbortSignal): Promise<KubernetesApi> {
  const api = new KubernetesApi(loadKubeconfig(options));
  try {
    requireRelease(await versionOf(api, signal), options.requestedVersion);
    if (options.namespace !== undefined) await seeNamespace(api, options.namespace, signal);
    return api;
  } catch (error) {
    api[Symbol.dispose]();
    throw error;
  }
}

async function versionOf(api: KubernetesApi, signal: AbortSignal): Promise<string> {
  const { gitVersion } = await api.once('read its version', (options) => api.version.getCode({}, options), signal);
  return gitVersion;
}

/** A label of a trial that says another version than ran would be worse than no trial. */
function requireRelease(version: string, requested: string | undefined): void {
  const asked = requested?.replace(/^v?/, 'v');
  if (asked === undefined || isRelease(version, asked)) return;
  throw requirementError({
    expected: `the cluster runs Kubernetes ${asked}`,
    found: `it runs ${version}`,
    remedy: 'name a context or a node image of that version, or leave the version out',
  });
}

/** Whether `v1.34.1+k3s1` is of the release `v1.34` or `v1.34.1`. */
const isRelease = (version: string, asked: string): boolean =>
  version === asked ||
  version.startsWith(`${asked}.`) ||
  (/^[-+]/.test(version.slice(asked.length)) && version.startsWith(asked));

async function seeNamespace(api: KubernetesApi, name: string, signal: AbortSignal): Promise<void> {
  try {
    // one that may not be read may still be used
    await api.once(`read namespace ${name}`, (options) => api.core.readNamespace({ name }, options), signal);
  } catch (error) {
    const status = apiStatusOf(error);
    if (status === 403) return;
    if (status !== 404) throw error;
    throw inputError(
      { expected: `namespace ${name} exists`, found: `${api.server} has none`, remedy: 'create it, or name another' },
      error,
    );
  }
}
