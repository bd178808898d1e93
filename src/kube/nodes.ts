import type { V1Node } from '@kubernetes/client-node';
import type { NodeRecord } from '../domain/environment.ts';
import { type Measured, measured, notMeasured } from '../domain/measured.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';

/** DaemonSets that give pods their network, by name. */
const networkDaemonSets: ReadonlyMap<string, string> = new Map([
  ['kindnet', 'kindnet'],
  ['calico-node', 'Calico'],
  ['canal', 'Canal'],
  ['cilium', 'Cilium'],
  ['kube-flannel-ds', 'Flannel'],
  ['weave-net', 'Weave Net'],
  ['antrea-agent', 'Antrea'],
  ['aws-node', 'Amazon VPC CNI'],
  ['azure-cns', 'Azure CNI'],
  ['ovnkube-node', 'OVN-Kubernetes'],
  ['kube-router', 'kube-router'],
  ['testbed-cni', 'testbed-cni'],
]);

const controlPlaneLabel = 'node-role.kubernetes.io/control-plane';

/** @throws {ActionableError} when nodes can't be listed */
export async function listNodes(api: KubernetesApi, signal: AbortSignal): Promise<Measured<readonly NodeRecord[]>> {
  const { items } = await api.repeatable('list Nodes', (options) => api.core.listNode({}, options), signal);
  return nodeRecords(items);
}

/** Pure part of `listNodes`: all of the nodes, or the reason why one of them is not known. */
export function nodeRecords(items: readonly V1Node[]): Measured<readonly NodeRecord[]> {
  const records: NodeRecord[] = [];
  for (const { metadata, status } of items) {
    const [name, info] = [metadata?.name, status?.nodeInfo];
    // the kubelet writes it when it registers (core/v1, NodeStatus.nodeInfo)
    if (name === undefined || info === undefined) return notMeasured(`node ${name ?? 'without a name'} tells nothing`);
    records.push({
      name,
      role: metadata?.labels?.[controlPlaneLabel] === undefined ? 'worker' : 'control-plane',
      kernel: info.kernelVersion,
      osImage: info.osImage,
      containerRuntime: info.containerRuntimeVersion,
      kubelet: info.kubeletVersion,
    });
  }
  return measured(records.toSorted((a, b) => a.name.localeCompare(b.name)));
}

/** The network plug-in by its DaemonSet, with the image's tag where it has one. */
export async function findCni(api: KubernetesApi, signal: AbortSignal): Promise<Measured<string>> {
  try {
    const { items } = await api.repeatable(
      'list DaemonSets',
      (options) => api.apps.listDaemonSetForAllNamespaces({}, options),
      signal,
    );
    return cniOf(
      items.map(({ metadata, spec }) => ({
        name: metadata?.name ?? '',
        image: spec?.template.spec?.containers[0]?.image ?? '',
      })),
    );
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`DaemonSets could not be listed: ${reasonOf(error)}`);
  }
}

/** A DaemonSet's name, and its first container's image. */
export interface DaemonSetFacts {
  readonly name: string;
  readonly image: string;
}

/** Pure part of `findCni`. */
export function cniOf(daemonSets: readonly DaemonSetFacts[]): Measured<string> {
  const found = daemonSets.flatMap(({ name, image }) => {
    const plugin = networkDaemonSets.get(name);
    if (plugin === undefined) return [];
    const [, tag] = /:([^:/@]+)(?:@.*)?$/.exec(image) ?? [];
    return [tag === undefined ? plugin : `${plugin} ${tag}`];
  });
  return found.length === 0 ? notMeasured('no DaemonSet of a known network plug-in runs') : measured(found.join(', '));
}
