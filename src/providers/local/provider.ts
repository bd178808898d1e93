import { availableParallelism, release } from 'node:os';
import { arch, version as nodeVersion } from 'node:process';
import type { Cluster, Provider } from '../../domain/cluster.ts';
import type { Environment, ToolRecord } from '../../domain/environment.ts';
import { measured, notMeasured } from '../../domain/measured.ts';
import type { Unobservable } from '../../domain/trial.ts';
import { deployProcess, type ProcessOptions } from './process-workload.ts';

export interface LocalOptions extends ProcessOptions {
  readonly tool: ToolRecord;
}

const noCluster = 'provider local has no cluster: the probe is a plain process';

const unobservable: Unobservable = {
  'pod-ready': noCluster,
  'pod-not-ready': noCluster,
  'pod-terminating': noCluster,
  'pod-deleted': noCluster,
  'container-terminated': noCluster,
  'endpoint-ready': noCluster,
  'endpoint-not-ready': noCluster,
  'endpoint-removed': noCluster,
};

/**
 * No cluster at all: the probe runs as a child process on loopback and gets the kubelet's sequence, SIGTERM, then
 * SIGKILL after the grace period. What the kernel does to its flows is real; there is no control plane to measure.
 */
export function createLocalProvider(options: LocalOptions): Provider {
  return {
    name: 'local',
    capabilities: new Set(),
    availability: () =>
      Promise.resolve({ available: true, detail: 'a plain process on loopback: no cluster is needed' }),
    open: ({ name }) => Promise.resolve(createLocalCluster(name, options)),
  };
}

function createLocalCluster(name: string, options: LocalOptions): Cluster {
  return {
    name,
    unobservable,
    evidence: notMeasured('a plain process has no node and no API server behind it'),
    environment: () => Promise.resolve(localEnvironment(options.tool)),
    deploy: (spec, sink, signal) => deployProcess(spec, options, sink, signal),
    // every process is its workload's, which ends it
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const localEnvironment = (tool: ToolRecord): Environment => ({
  tool,
  provider: 'local',
  kubernetesVersion: notMeasured(noCluster),
  proxyMode: notMeasured(noCluster),
  proxyMinSyncPeriod: notMeasured(noCluster),
  proxySyncPeriod: notMeasured(noCluster),
  cni: notMeasured(noCluster),
  nodes: [],
  probeImage: measured(`none: Node.js ${nodeVersion} runs the probe`),
  nodeImage: notMeasured(noCluster),
  sysctls: notMeasured(noCluster),
  hostTools: notMeasured(noCluster),
  client: { kernel: release(), node: nodeVersion, cpus: availableParallelism(), architecture: arch },
  path: 'client → process on 127.0.0.1',
});
