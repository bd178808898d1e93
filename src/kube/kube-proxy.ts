import { z } from 'zod';
import { jsonOrUndefined } from '../domain/json.ts';
import { type Measured, measured, notMeasured } from '../domain/measured.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';
import { getThroughPod } from './port-forward.ts';
import { runningPodOn } from './running-pod.ts';

/** What the running kube-proxy of one node says of itself. */
export interface ProxyFacts {
  /** Null: no pod of kube-proxy runs on the node. */
  readonly mode: Measured<string | null>;
  readonly minSyncPeriod: Measured<string>;
  readonly syncPeriod: Measured<string>;
}

/** kube-proxy serves /proxyMode and /configz on its metrics port (KubeProxyConfiguration, metricsBindAddress). */
const metricsPort = 10249;
const namespace = 'kube-system';

/** Labels of kube-proxy's pods: kubeadm's DaemonSet; static pods of managed clusters. */
const selectors = ['k8s-app=kube-proxy', 'component=kube-proxy'] as const;

/** Asks the kube-proxy that serves `node`, not its ConfigMap, which it may not have been started with. */
export async function askKubeProxy(api: KubernetesApi, node: string, signal: AbortSignal): Promise<ProxyFacts> {
  const pod = await findKubeProxy(api, node, signal);
  if (pod.status === 'not-measured') return { mode: pod, minSyncPeriod: pod, syncPeriod: pod };
  if (pod.value === undefined) {
    const none = notMeasured(`no kube-proxy pod runs on node ${node}: it is replaced, or part of another program`);
    return { mode: measured(null), minSyncPeriod: none, syncPeriod: none };
  }
  const mode = await ask(api, pod.value, '/proxyMode', signal);
  return { mode, ...periodsOf(await ask(api, pod.value, '/configz', signal), mode) };
}

/** Only the mode, which is one question less. */
export async function askProxyMode(api: KubernetesApi, node: string, signal: AbortSignal): Promise<ProxyFacts['mode']> {
  const pod = await findKubeProxy(api, node, signal);
  if (pod.status === 'not-measured') return pod;
  return pod.value === undefined ? measured(null) : ask(api, pod.value, '/proxyMode', signal);
}

const findKubeProxy = (api: KubernetesApi, node: string, signal: AbortSignal) =>
  runningPodOn(api, { node, namespace, selectors }, signal);

async function ask(api: KubernetesApi, pod: string, path: string, signal: AbortSignal): Promise<Measured<string>> {
  try {
    return measured((await getThroughPod(api, { namespace, pod, port: metricsPort }, path, signal)).trim());
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`kube-proxy pod ${pod} did not answer ${path}: ${reasonOf(error)}`);
  }
}

const periodsSchema = z.object({ MinSyncPeriod: z.string().optional(), SyncPeriod: z.string().optional() });

/**
 * /configz shows kube-proxy's internal configuration, whose shape follows its version: the periods are at the top in
 * v1.34, and were each mode's own in older ones (pkg/proxy/apis/config/types.go).
 */
const configzSchema = z.object({
  'kubeproxy.config.k8s.io': periodsSchema.extend({
    IPTables: periodsSchema.optional(),
    NFTables: periodsSchema.optional(),
    IPVS: periodsSchema.optional(),
  }),
});

/** Reads the sync periods of the effective mode, as Go writes durations (1s, 30s). Pure. */
export function periodsOf(
  configuration: Measured<string>,
  mode: ProxyFacts['mode'],
): Pick<ProxyFacts, 'minSyncPeriod' | 'syncPeriod'> {
  if (configuration.status === 'not-measured') return { minSyncPeriod: configuration, syncPeriod: configuration };
  const parsed = configzSchema.safeParse(jsonOrUndefined(configuration.value)).data?.['kubeproxy.config.k8s.io'];
  const sections = new Map([
    ['iptables', parsed?.IPTables],
    ['nftables', parsed?.NFTables],
    ['ipvs', parsed?.IPVS],
  ]);
  const own = mode.status === 'measured' && mode.value !== null ? sections.get(mode.value) : undefined;
  const period = (name: 'MinSyncPeriod' | 'SyncPeriod'): Measured<string> => {
    const value = parsed?.[name] ?? own?.[name];
    return value === undefined ? notMeasured(`kube-proxy's /configz names no ${name}`) : measured(value);
  };
  return { minSyncPeriod: period('MinSyncPeriod'), syncPeriod: period('SyncPeriod') };
}
