/** When clusters are made. */
export const clusterReuses = ['fresh-per-scenario', 'shared'] as const;
export type ClusterReuse = (typeof clusterReuses)[number];

/** How many trials may run on a cluster at once; `auto`: as many as were shown not to move the numbers. */
export type Concurrency = number | 'auto';

/** An experiment as data: the factors, the repeats and the conditions that all trials share. */
export interface Matrix {
  readonly name: string;
  readonly description: string;
  readonly scenarios: readonly string[];
  /** kube-proxy modes; empty where the provider has none. */
  readonly proxyModes: readonly string[];
  /** Empty: the provider's default. */
  readonly kubernetesVersions: readonly string[];
  readonly repeats: number;
  readonly gracePeriodSeconds: number;
  readonly flows: { readonly tcp: number; readonly udp: number };
  readonly tcpHeartbeatMs: number;
  readonly udpIntervalMs: number;
  /** Milliseconds between two new connections of a protocol; 0: none are dialled. */
  readonly newConnectionIntervalMs: number;
  /** Whether the mechanism behind each end is looked for too: packets, connection tracking, rules, writes to the API server. */
  readonly evidence: boolean;
  readonly settleSeconds: number;
  readonly trailingSeconds: number;
  readonly clusterReuse: ClusterReuse;
  readonly concurrency: Concurrency;
}
