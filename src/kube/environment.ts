import { availableParallelism, arch, release, type } from 'node:os';
import type { Environment, NodeRecord } from '../domain/environment.ts';
import { type Measured, measured, notMeasured } from '../domain/measured.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';
import { askCilium } from './cilium-agent.ts';
import { askKubeProxy, type ProxyFacts } from './kube-proxy.ts';
import { findCni, listNodes } from './nodes.ts';
import type { KubernetesClusterOptions } from './options.ts';
import type { PodState } from './pod-state.ts';

/** Asks the cluster for everything that may move a number. What it does not tell carries its reason. */
export async function readEnvironment(
  api: KubernetesApi,
  options: KubernetesClusterOptions,
  lastPod: PodState | undefined,
  signal: AbortSignal,
): Promise<Environment> {
  const listed = await readNodes(api, signal);
  const nodes = listed.status === 'measured' ? listed.value : [];
  const node = lastPod?.node ?? dialledNode(nodes);
  const unknownNode = notMeasured('which node is dialled is known after the first deployment only');
  const proxy =
    node === undefined
      ? { mode: unknownNode, minSyncPeriod: unknownNode, syncPeriod: unknownNode }
      : await askKubeProxy(api, node, signal);
  return {
    tool: options.tool,
    provider: options.provider,
    kubernetesVersion: await readVersion(api, signal),
    proxyMode: await modeInEffect(api, proxy.mode, node, signal),
    proxyMinSyncPeriod: proxy.minSyncPeriod,
    proxySyncPeriod: proxy.syncPeriod,
    cni: await findCni(api, signal),
    ...(options.emulated === true && { emulated: true }),
    nodes,
    ...(listed.status === 'not-measured' && { nodesNotMeasured: listed.reason }),
    probeImage: imageOf(lastPod),
    nodeImage: options.nodeImage,
    sysctls: node === undefined ? unknownNode : await sysctlsOf(node, options, signal),
    hostTools: options.hostTools,
    client: {
      kernel: `${type()} ${release()}`,
      node: process.version,
      cpus: availableParallelism(),
      architecture: arch(),
    },
    path: pathOf(options, lastPod, node),
  };
}

/** Where no kube-proxy runs, the program that replaces it is asked. */
async function modeInEffect(
  api: KubernetesApi,
  mode: ProxyFacts['mode'],
  node: string | undefined,
  signal: AbortSignal,
): Promise<Measured<string>> {
  if (mode.status === 'not-measured') return mode;
  if (mode.value !== null) return measured(mode.value);
  const replacement = node === undefined ? measured(null) : await askCilium(api, node, signal);
  if (replacement.status === 'measured' && replacement.value === 'True') return measured('cilium');
  return notMeasured(`no kube-proxy pod runs on node ${node ?? 'unknown'}: it is replaced, or part of another program`);
}

/** Before the first deployment: the first worker, which is where a pod without tolerations lands. */
const dialledNode = (nodes: readonly NodeRecord[]): string | undefined =>
  (nodes.find(({ role }) => role === 'worker') ?? nodes[0])?.name;

async function readNodes(api: KubernetesApi, signal: AbortSignal): Promise<Measured<readonly NodeRecord[]>> {
  try {
    return await listNodes(api, signal);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`the nodes could not be listed: ${reasonOf(error)}`);
  }
}

async function readVersion(api: KubernetesApi, signal: AbortSignal): Promise<Measured<string>> {
  try {
    const { gitVersion } = await api.repeatable(
      'read the version',
      (options) => api.version.getCode({}, options),
      signal,
    );
    return measured(gitVersion);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(reasonOf(error));
  }
}

/** The image that ran, by its digest where the runtime gives one (core/v1, ContainerStatus.imageID). */
function imageOf(pod: PodState | undefined): Measured<string> {
  if (pod === undefined) return notMeasured('nothing was deployed yet');
  return pod.imageId === null ? notMeasured('the container status names no imageID') : measured(pod.imageId);
}

async function sysctlsOf(
  node: string,
  { readSysctls, provider }: KubernetesClusterOptions,
  signal: AbortSignal,
): Promise<Measured<Readonly<Record<string, string>>>> {
  if (readSysctls === undefined) return notMeasured(`the ${provider} provider runs no commands on nodes`);
  try {
    return await readSysctls(node, signal);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(reasonOf(error));
  }
}

function pathOf(options: KubernetesClusterOptions, pod: PodState | undefined, node: string | undefined): string {
  if (options.nodeAddress !== undefined) return `client → ${options.nodeAddress} (given address) : NodePort`;
  return `client → node ${pod?.hostIp ?? node ?? 'of the pod'} (InternalIP) : NodePort`;
}
