import type { Availability, Cluster, ClusterSpec, Provider } from '../../domain/cluster.ts';
import type { ToolRecord } from '../../domain/environment.ts';
import { ActionableError, inputError, requirementError } from '../../domain/errors.ts';
import { notMeasured } from '../../domain/measured.ts';
import { askVersion, openKubernetesCluster } from '../../kube/kubernetes-cluster.ts';
import { removeAbandoned } from '../../kube/remove-leftovers.ts';

export interface KubeconfigProviderOptions {
  /** Undefined: $KUBECONFIG, else ~/.kube/config. */
  readonly kubeconfigPath?: string;
  /** Undefined: the kubeconfig's current context. */
  readonly context?: string;
  /** An existing namespace to use; undefined: a fresh one for each workload. */
  readonly namespace?: string;
  /** The probe's image, by a name under which the cluster's nodes have it or can pull it. */
  readonly probeImage?: string;
  /** The same number for TCP and UDP; undefined: the API server chooses. */
  readonly nodePort?: number;
  /** Dialled in place of the InternalIP of the node that runs the pod. */
  readonly nodeAddress?: string;
  /** Whether the nodes are emulated in software: their times are not representative then. */
  readonly emulated?: boolean;
  readonly tool: ToolRecord;
  readonly notice: (text: string) => void;
}

export interface KubeconfigProvider extends Provider {
  /** Removes what runs that were killed have left in the cluster, and gives the names. */
  cleanStale(signal: AbortSignal): Promise<readonly string[]>;
}

const reachOf = (options: KubeconfigProviderOptions) => ({ kubeconfigPath: undefined, ...options });

/** Any existing cluster: it is used as it is. What a spec asks of it is verified, never configured. */
export function createKubeconfigProvider(options: KubeconfigProviderOptions): KubeconfigProvider {
  return {
    name: 'kubeconfig',
    capabilities: new Set(['kubernetes-api']),
    availability: (signal) => availability(options, signal),
    open: (spec, signal) => open(options, spec, signal),
    cleanStale: (signal) => removeAbandoned(reachOf(options), options.notice, signal),
  };
}

async function availability(options: KubeconfigProviderOptions, signal: AbortSignal): Promise<Availability> {
  try {
    requireProbeImage(options);
    const { version, server } = await askVersion(reachOf(options), signal);
    return { available: true, detail: `Kubernetes ${version} at ${server}` };
  } catch (error) {
    if (!(error instanceof ActionableError)) throw error;
    return { available: false, reason: error.facts.found, remedy: error.facts.remedy };
  }
}

async function open(options: KubeconfigProviderOptions, spec: ClusterSpec, signal: AbortSignal): Promise<Cluster> {
  const probeImage = requireProbeImage(options);
  if (spec.nodeImage !== undefined) {
    throw inputError({
      expected: 'an existing cluster is used with the nodes that it has',
      found: `node image ${spec.nodeImage} was asked for`,
      remedy: 'leave the node image out, or use the kind provider',
    });
  }
  const { kubeconfigPath, ...rest } = options;
  const cluster = await openKubernetesCluster(
    {
      ...rest,
      kubeconfigPath,
      provider: 'kubeconfig',
      name: spec.name,
      probeImage,
      imagePullPolicy: 'IfNotPresent',
      nodeImage: notMeasured('the nodes of an existing cluster do not tell their image'),
      hostTools: notMeasured('an existing cluster is made by no program of this machine'),
      evidence: notMeasured('evidence is not collected on an existing cluster: it takes programs on its nodes'),
      // the cluster is not this project's to delete
      onDispose: () => Promise.resolve(),
      ...(spec.proxyMode === undefined ? {} : { requestedProxyMode: spec.proxyMode }),
      ...(spec.kubernetesVersion === undefined ? {} : { requestedVersion: spec.kubernetesVersion }),
    },
    signal,
  );
  try {
    await verify(cluster, spec, signal);
    await removeAbandoned(reachOf(options), options.notice, signal);
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

/** What can't be had here is told before any trial; what can't be read is left to preflight. */
async function verify(cluster: Cluster, spec: ClusterSpec, signal: AbortSignal): Promise<void> {
  if (spec.proxyMode === undefined) return;
  const { proxyMode } = await cluster.environment(signal);
  if (proxyMode.status === 'not-measured' || proxyMode.value === spec.proxyMode) return;
  throw requirementError({
    expected: `the cluster's proxy mode is ${spec.proxyMode}`,
    found: `it runs ${proxyMode.value}`,
    remedy: 'name a context of such a cluster, or leave the proxy mode out: an existing cluster is not reconfigured',
  });
}

function requireProbeImage({ probeImage }: KubeconfigProviderOptions): string {
  if (probeImage !== undefined && probeImage !== '') return probeImage;
  throw inputError({
    expected: "the name of the probe's image, as the cluster's nodes have it or can pull it",
    found: 'no probe image was given',
    remedy:
      'push a published probe image where the nodes can pull it, or load one into them (kind load docker-image IMAGE, ctr -n k8s.io images import FILE), and give its name',
  });
}
