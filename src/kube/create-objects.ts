import type { AsyncDisposableStack } from '@whatwg-node/disposablestack';
import { type ActionableError, harnessError, inputError, requirementError } from '../domain/errors.ts';
import type { Endpoint, WorkloadSpec } from '../domain/workload.ts';
import type { KubernetesApi } from './api.ts';
import { apiStatusOf, mayHaveBeenDone, reasonOf } from './api-error.ts';
import { deploymentManifest, namespaceManifest, serviceManifest, type WorkloadNames } from './manifests.ts';
import type { KubernetesClusterOptions } from './options.ts';
import { removeUncertain, removeWorkload } from './remove-workload.ts';

type Undo = InstanceType<typeof AsyncDisposableStack>;

/**
 * A create is waited for even when the run is aborted meanwhile: only its answer tells whether there is something to
 * undo.
 */
const unabortable = (): AbortSignal => new AbortController().signal;

/** @throws {ActionableError} of kind `input` when the namespace exists: it is then not this run's to delete */
export async function createNamespace(api: KubernetesApi, names: WorkloadNames, undo: Undo): Promise<void> {
  const { namespace } = names;
  const creation = api.once(
    `create namespace ${namespace}`,
    (options) => api.core.createNamespace({ body: namespaceManifest(names) }, options),
    unabortable(),
  );
  await undoable(creation, api, names, undo).catch((error: unknown) => {
    throw refusedNamespace(error, namespace);
  });
}

/** Has a create undone that was answered with success, and one that was not answered: it may have been done. */
async function undoable<T>(creation: Promise<T>, api: KubernetesApi, names: WorkloadNames, undo: Undo): Promise<T> {
  try {
    const created = await creation;
    undo.defer(() => removeWorkload(api, names));
    return created;
  } catch (error) {
    if (mayHaveBeenDone(error)) undo.defer(() => removeUncertain(api, names));
    throw error;
  }
}

/**
 * Creates the Service, which may be refused its port, then the Deployment.
 * @returns the ports at which every node answers for the Service
 */
export async function createObjects(
  api: KubernetesApi,
  options: KubernetesClusterOptions,
  spec: WorkloadSpec,
  names: WorkloadNames,
  undo: Undo,
): Promise<Pick<Endpoint, 'tcpPort' | 'udpPort'>> {
  const { namespace, object } = names;
  const service = { namespace, body: serviceManifest(names, options.nodePort) };
  // a namespace of its own goes with all that is made in it, whenever that is
  const undoneHere = <T>(creation: Promise<T>): Promise<T> =>
    names.ownNamespace ? creation : undoable(creation, api, names, undo);
  const created = await undoneHere(
    api.once(
      `create Service ${object}`,
      (callOptions) => api.core.createNamespacedService(service, callOptions),
      unabortable(),
    ),
  ).catch((error: unknown) => {
    throw refusedService(error, names, options.nodePort);
  });
  const deployment = { namespace, body: deploymentManifest(spec, names, options) };
  await undoneHere(
    api.once(
      `create Deployment ${object}`,
      (callOptions) => api.apps.createNamespacedDeployment(deployment, callOptions),
      unabortable(),
    ),
  );
  const portOf = (protocol: string) => created.spec?.ports?.find((port) => port.protocol === protocol)?.nodePort;
  const [tcpPort, udpPort] = [portOf('TCP'), portOf('UDP')];
  if (tcpPort !== undefined && udpPort !== undefined) return { tcpPort, udpPort };
  throw harnessError({
    expected: 'the API server gives a Service of type NodePort a node port for TCP and one for UDP',
    found: `TCP ${tcpPort ?? 'none'}, UDP ${udpPort ?? 'none'}`,
    remedy: 'look for an admission webhook that changes Services',
  });
}

function refusedNamespace(error: unknown, namespace: string): unknown {
  const status = apiStatusOf(error);
  if (status === 409) return taken(`namespace ${namespace}`, `namespace ${namespace}`, error);
  if (status !== 403) return error;
  return requirementError(
    {
      expected: "the kubeconfig's user may create a namespace for each trial",
      found: reasonOf(error),
      remedy: 'grant it, or name an existing namespace in which the user may deploy',
    },
    error,
  );
}

function refusedService(error: unknown, { namespace, object }: WorkloadNames, nodePort: number | undefined): unknown {
  const status = apiStatusOf(error);
  if (status === 409) return taken(`Service ${object}`, `deployment,service ${object} -n ${namespace}`, error);
  if (status !== 422 || nodePort === undefined) return error;
  return inputError(
    {
      expected: `node port ${nodePort} is in the cluster's range and free, for TCP and UDP`,
      found: reasonOf(error),
      remedy: 'give another node port, or none for any free one',
    },
    error,
  );
}

const taken = (what: string, argument: string, error: unknown): ActionableError =>
  inputError(
    {
      expected: `${what} does not exist yet`,
      found: 'it exists, from an earlier run or from another one',
      remedy: `once nothing runs in it: kubectl delete ${argument}`,
    },
    error,
  );
