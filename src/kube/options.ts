import type { Measured } from '../domain/measured.ts';
import type { ToolRecord } from '../domain/environment.ts';

/** What a provider knows of the cluster that it opens. */
export interface KubernetesClusterOptions {
  /** Undefined: $KUBECONFIG, else ~/.kube/config. */
  readonly kubeconfigPath: string | undefined;
  /** Undefined: the kubeconfig's current context. */
  readonly context?: string;
  readonly provider: string;
  readonly name: string;
  readonly probeImage: string;
  readonly imagePullPolicy: 'Never' | 'IfNotPresent';
  /** An existing namespace to use; undefined: a fresh one for each workload. */
  readonly namespace?: string;
  /** The same number for TCP and UDP; undefined: the API server chooses. */
  readonly nodePort?: number;
  /** Dialled in place of the InternalIP of the node that runs the pod. */
  readonly nodeAddress?: string;
  /** kube-proxy mode that preflight holds against the running kube-proxy's. */
  readonly requestedProxyMode?: string;
  readonly tool: ToolRecord;
  readonly nodeImage: Measured<string>;
  /** As `Environment.hostTools`. */
  readonly hostTools: Measured<Readonly<Record<string, string>>>;
  readonly readSysctls?: (node: string, signal: AbortSignal) => Promise<Measured<Record<string, string>>>;
  /** Called when the cluster is disposed of, after what this project made in it was removed. */
  readonly onDispose: () => Promise<void>;
  /** Takes a line for the reader of the run's log. */
  readonly notice: (text: string) => void;
}
