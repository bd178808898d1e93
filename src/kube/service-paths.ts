import { lookup } from 'node:dns/promises';
import type { V1Service } from '@kubernetes/client-node';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { ServicePath } from '../domain/new-connections.ts';
import type { Endpoint } from '../domain/workload.ts';
import { createAgentClient } from './agent-client.ts';
import type { AgentPlace } from './agent-manifest.ts';
import { startAgent } from './agent-pod.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';
import type { ProbeImage, WorkloadNames } from './manifests.ts';

const agentPaths = [
  { path: 'same-node-pod', place: 'same-node' },
  { path: 'cross-node-pod', place: 'cross-node' },
] as const satisfies readonly { readonly path: ServicePath['path']; readonly place: AgentPlace }[];

/**
 * The ways to a workload's Service besides its node port, with a client pod on each of two nodes. What can't be had is
 * there with its reason. @throws only the abort reason
 */
export async function openServicePaths(
  api: KubernetesApi,
  image: ProbeImage,
  names: WorkloadNames,
  node: string,
  signal: AbortSignal,
): Promise<readonly ServicePath[]> {
  const read = await readService(api, names, signal);
  if (read.status === 'not-measured') {
    const paths = [...agentPaths.map(({ path }) => path), 'host-load-balancer'] as const;
    return paths.map((path) => ({ path, endpoint: read }));
  }
  const service = read.value;
  const open = async ({ path, place }: (typeof agentPaths)[number]): Promise<ServicePath> => {
    const endpoint = clusterEndpoint(service);
    const owner = ownerOf(service);
    if (endpoint.status === 'not-measured') return { path, endpoint };
    if (owner === undefined) return { path, endpoint: notMeasured('the Service has no identity to own a client pod') };
    const agent = await startAgent(api, names, { place, node, image, owner }, signal);
    if (agent.status === 'not-measured') return { path, endpoint: agent };
    return { path, endpoint, client: createAgentClient(api, agent.value) };
  };
  const balancer: ServicePath = { path: 'host-load-balancer', endpoint: await balancerEndpoint(service) };
  return [...(await Promise.all(agentPaths.map(open))), balancer];
}

async function readService(
  api: KubernetesApi,
  { namespace, object: name }: WorkloadNames,
  signal: AbortSignal,
): Promise<Measured<V1Service>> {
  try {
    return measured(
      await api.repeatable(
        `read Service ${name}`,
        (options) => api.core.readNamespacedService({ namespace, name }, options),
        signal,
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`the Service could not be read: ${reasonOf(error)}`);
  }
}

/** A headless Service has no address: `None` (core/v1, ServiceSpec.clusterIP). */
function clusterEndpoint(service: V1Service): Measured<Endpoint> {
  const address = service.spec?.clusterIP ?? '';
  if (address === '' || address === 'None') return notMeasured('the Service has no cluster address');
  return endpointAt(address, service);
}

async function balancerEndpoint(service: V1Service): Promise<Measured<Endpoint>> {
  const [ingress] = service.status?.loadBalancer?.ingress ?? [];
  const name = ingress?.ip ?? ingress?.hostname;
  if (name === undefined) return notMeasured('the Service has no load balancer address');
  try {
    // once, here: an attempt must not wait for a name server
    return endpointAt((await lookup(name)).address, service);
  } catch (error) {
    return notMeasured(`the load balancer’s address could not be looked up: ${reasonOf(error)}`);
  }
}

function endpointAt(address: string, { spec }: V1Service): Measured<Endpoint> {
  const portOf = (protocol: string) => spec?.ports?.find((port) => port.protocol === protocol)?.port;
  const [tcpPort, udpPort] = [portOf('TCP'), portOf('UDP')];
  if (tcpPort === undefined || udpPort === undefined) return notMeasured('the Service lacks a port for TCP or UDP');
  return measured({ address, tcpPort, udpPort });
}

function ownerOf({ metadata }: V1Service) {
  if (metadata?.name === undefined || metadata.uid === undefined) return undefined;
  return { apiVersion: 'v1', kind: 'Service', name: metadata.name, uid: metadata.uid };
}
