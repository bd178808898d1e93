import type { NodeDataPlane, Verification } from './data-plane.ts';
import type { Environment } from './environment.ts';
import type { FailureFacts } from './errors.ts';
import type { EvidenceRecorder } from './evidence.ts';
import type { Measured } from './measured.ts';
import type { Requirement } from './scenario.ts';
import type { Unobservable } from './trial.ts';
import type { WorkloadHost } from './workload.ts';

/** What a provider is asked to give. */
export interface ClusterSpec {
  readonly name: string;
  /** Undefined: the provider's default. */
  readonly kubernetesVersion?: string;
  readonly nodeImage?: string;
  readonly workers: number;
  /** The proxy mode to be in effect, by its name; undefined: whatever is there. */
  readonly proxyMode?: string;
  /** kube-proxy's mode in the cluster's configuration; `none`: there is no kube-proxy. Undefined: its own default. */
  readonly kubeProxy?: 'iptables' | 'nftables' | 'ipvs' | 'none';
  /** Whether the cluster is made with the provider's own pod network, which it is by default. */
  readonly podNetwork?: boolean;
  /** Whether it is made so that evidence can be collected on it; not, by default. */
  readonly evidence?: boolean;
}

/** A place where workloads run. Disposing deletes what was created for it, and nothing else. */
export interface Cluster extends WorkloadHost, AsyncDisposable {
  readonly name: string;
  /** Events that this place can't observe, with the reason; empty for a cluster that tells everything. */
  readonly unobservable: Unobservable;
  /** Collects evidence of a trial, or why none can be collected here; absent: it was not asked for. */
  readonly evidence?: Measured<EvidenceRecorder>;
  environment(signal: AbortSignal): Promise<Environment>;
}

/** Whether a provider can work here, and what would make it so. */
export type Availability =
  | { readonly available: true; readonly detail: string }
  | { readonly available: false; readonly reason: string; readonly remedy: string };

export interface Provider {
  readonly name: string;
  readonly capabilities: ReadonlySet<Requirement>;
  availability(signal: AbortSignal): Promise<Availability>;
  /**
   * Why a cluster of this specification can't be had here, as far as that can be told without making anything. Absent
   * where nothing can be told.
   */
  lack?(spec: ClusterSpec, signal: AbortSignal): Promise<FailureFacts | undefined>;
  /** @throws {ActionableError} of kind `requirement` or `input` when the cluster can't be had. */
  open(spec: ClusterSpec, signal: AbortSignal): Promise<Cluster>;
}

/** What a proxy mode needs of the kernel that the nodes run on. */
export interface KernelNeeds {
  /** The least release, as `5.13`. */
  readonly release?: string;
  /** Modules, each loaded or built in. */
  readonly modules: readonly string[];
  /** Options of the kernel's configuration (`CONFIG_…`), each built in or a module; asked where the kernel tells of it. */
  readonly options: readonly string[];
}

/** A Helm chart that makes a proxy mode, pinned. */
export interface ChartInstallation {
  readonly chart: string;
  readonly repository: string;
  readonly version: string;
  /** SHA-256 of the chart's archive. */
  readonly sha256: string;
  readonly namespace: string;
  /** What has to be rolled out before the cluster is used, as `daemonset/cilium`. */
  readonly rollouts: readonly string[];
  /** `apiServer`: how nodes reach the API server without any Service. */
  values(apiServer: { readonly host: string; readonly port: number }): Readonly<Record<string, unknown>>;
}

/** What becomes of held TCP flows of a pod that terminates and is neither ready nor serving any more. */
export interface UnservedTcp {
  /** `kept`: they stay on that pod. `sent-elsewhere`: to another pod, which resets them, or to none. */
  readonly fate: 'kept' | 'sent-elsewhere';
  /** Where the source of the data plane says so. */
  readonly source: string;
}

/** A kube-proxy mode, or what stands in its place. */
export interface ProxyMode {
  readonly name: string;
  readonly description: string;
  readonly unservedTcp: UnservedTcp;
  readonly kernel: KernelNeeds;
  configure(spec: ClusterSpec): ClusterSpec;
  /** What a fresh cluster lacks after it was made as configured. */
  readonly install?: ChartInstallation;
  /** Judges what runs on nodes, one at least, never what was configured. Pure. */
  verify(nodes: readonly NodeDataPlane[]): Verification;
}
