import type { Measured } from './measured.ts';

export interface NodeRecord {
  readonly name: string;
  readonly role: 'control-plane' | 'worker';
  readonly kernel: string;
  readonly osImage: string;
  readonly containerRuntime: string;
  readonly kubelet: string;
}

/** The tool that measured. A run from an uncommitted tree says so. */
export interface ToolRecord {
  readonly version: string;
  readonly commit: string;
  readonly dirty: boolean;
}

/** Everything outside the scenario that may move a number. What could not be read carries its reason. */
export interface Environment {
  readonly tool: ToolRecord;
  readonly provider: string;
  readonly kubernetesVersion: Measured<string>;
  /** The mode that the running kube-proxy reports, or `cilium` where that replaces it; never what was asked for. */
  readonly proxyMode: Measured<string>;
  readonly proxyMinSyncPeriod: Measured<string>;
  readonly proxySyncPeriod: Measured<string>;
  readonly cni: Measured<string>;
  /** Whether the nodes are emulated in software: what they do is real then, and when they do it is not representative. */
  readonly emulated?: boolean;
  readonly nodes: readonly NodeRecord[];
  /** Why the nodes of the cluster could not be read; absent where `nodes` is what the cluster told. */
  readonly nodesNotMeasured?: string;
  readonly probeImage: Measured<string>;
  readonly nodeImage: Measured<string>;
  /** Network sysctls of the node that the client dials, by name. */
  readonly sysctls: Measured<Readonly<Record<string, string>>>;
  /** Versions of the programs of this machine that made the cluster, by name. */
  readonly hostTools: Measured<Readonly<Record<string, string>>>;
  readonly client: {
    readonly kernel: string;
    readonly node: string;
    readonly cpus: number;
    readonly architecture: string;
  };
  /** How the client reaches the workload. */
  readonly path: string;
}
