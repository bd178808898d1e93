import type { Environment } from './environment.ts';
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
  /** kube-proxy's mode in the cluster's configuration; undefined: whatever is there. */
  readonly proxyMode?: string;
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
  /** @throws {ActionableError} of kind `requirement` or `input` when the cluster can't be had. */
  open(spec: ClusterSpec, signal: AbortSignal): Promise<Cluster>;
}

/** A kube-proxy mode, or what stands in its place. */
export interface ProxyMode {
  readonly name: string;
  readonly description: string;
  /** Kernel modules without which the mode can't run, each as in /proc/modules or built in. */
  readonly kernelModules: readonly string[];
  configure(spec: ClusterSpec): ClusterSpec;
}
