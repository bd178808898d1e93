import type { Measured } from '../domain/measured.ts';
import type { ServiceRules } from '../domain/data-plane.ts';
import type { ToolRecord } from '../domain/environment.ts';
import type { EvidenceRecorder } from '../domain/evidence.ts';

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
  /** The proxy mode, by its name, that preflight holds what runs against. */
  readonly requestedProxyMode?: string;
  /** The release that the cluster must be of, as `v1.34` or `1.34.0`. */
  readonly requestedVersion?: string;
  /** Whether preflight looks at the proxy of every node; else, in a cluster of somebody else, at that of the pod's node. */
  readonly verifyEveryNode?: boolean;
  /** The rules of Services in a node's kernel; absent where no command can be run on nodes. */
  readonly readServiceRules?: (node: string, signal: AbortSignal) => Promise<Measured<ServiceRules>>;
  /** Whether the nodes are emulated in software. */
  readonly emulated?: boolean;
  readonly tool: ToolRecord;
  readonly nodeImage: Measured<string>;
  /** As `Environment.hostTools`. */
  readonly hostTools: Measured<Readonly<Record<string, string>>>;
  readonly readSysctls?: (node: string, signal: AbortSignal) => Promise<Measured<Record<string, string>>>;
  /** Collects evidence of trials, or why none can be; absent: it was not asked for. */
  readonly evidence?: Measured<EvidenceRecorder>;
  /** Called when the cluster is disposed of, after what this project made in it was removed. */
  readonly onDispose: () => Promise<void>;
  /** Takes a line for the reader of the run's log. */
  readonly notice: (text: string) => void;
}
