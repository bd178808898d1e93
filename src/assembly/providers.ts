import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '../domain/cluster.ts';
import type { ToolRecord } from '../domain/environment.ts';
import { inputError, requirementError } from '../domain/errors.ts';
import { shown } from '../domain/printable.ts';
import { Registry } from '../domain/registry.ts';
import type { Runner } from '../process/runner.ts';
import type { ClusterLogs } from '../providers/kind/cluster-logs.ts';
import { createKindProvider } from '../providers/kind/provider.ts';
import { createKubeconfigProvider } from '../providers/kubeconfig/provider.ts';
import { createLocalProvider } from '../providers/local/provider.ts';
import type { BundledFiles } from './bundled-files.ts';

/** Options of the command line that concern where workloads run. */
export interface ProviderOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly probeImage?: string;
  readonly nodeAddress?: string;
  readonly kindPath?: string;
  readonly nodeImage?: string;
  readonly kubernetesVersions?: readonly string[];
  readonly proxyModes?: readonly string[];
  readonly ciliumManifest?: string;
  readonly emulated?: boolean;
  readonly port?: number;
}

export interface ProviderContext {
  readonly runner: Runner;
  readonly tool: ToolRecord;
  readonly files: BundledFiles;
  readonly notice: (text: string) => void;
  /** Asked before a kind cluster is deleted; without it no cluster's logs are kept. */
  readonly clusterLogs?: ClusterLogs;
}

/** XDG base directories: state that a killed run leaves, and what can be downloaded again. */
const stateFolder = () => join(process.env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'drainwatch');
const cacheFolder = () => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drainwatch');

export const createKind = ({ runner, tool, files, notice, clusterLogs }: ProviderContext, options: ProviderOptions) =>
  createKindProvider({
    runner,
    tool,
    notice,
    probeBundle: files.probe,
    stateFolder: stateFolder(),
    cacheFolder: cacheFolder(),
    ...(clusterLogs === undefined ? {} : { clusterLogs }),
    ...(options.kindPath === undefined ? {} : { kindPath: options.kindPath }),
    ...(options.nodeImage === undefined ? {} : { nodeImage: options.nodeImage }),
    ...(options.kubernetesVersions === undefined ? {} : { kubernetesVersions: options.kubernetesVersions }),
    ...(options.proxyModes === undefined ? {} : { proxyModes: options.proxyModes }),
    ...(options.ciliumManifest === undefined ? {} : { manifests: { cilium: options.ciliumManifest } }),
    ...(options.port === undefined ? {} : { nodePort: options.port }),
  });

export const createKubeconfig = ({ tool, notice }: ProviderContext, options: ProviderOptions) =>
  createKubeconfigProvider({
    tool,
    notice,
    ...(options.kubeconfig === undefined ? {} : { kubeconfigPath: options.kubeconfig }),
    ...(options.context === undefined ? {} : { context: options.context }),
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    ...(options.probeImage === undefined ? {} : { probeImage: options.probeImage }),
    ...(options.nodeAddress === undefined ? {} : { nodeAddress: options.nodeAddress }),
    ...(options.emulated === true ? { emulated: true } : {}),
    ...(options.port === undefined ? {} : { nodePort: options.port }),
  });

/** Every provider, set up from the options: the only list of them. */
export function createProviders(context: ProviderContext, options: ProviderOptions): Registry<Provider> {
  const { runner, tool, files } = context;
  return new Registry<Provider>('provider', [
    createKind(context, options),
    createKubeconfig(context, options),
    createLocalProvider({ runner, tool, probeBundle: files.probe, port: options.port ?? 0 }),
  ]);
}

/**
 * The provider of that name; `auto` is kind where it can work, else local.
 *
 * @throws {ActionableError} of kind `requirement` when the one asked for can't work here.
 */
export async function chooseProvider(
  name: string,
  providers: Registry<Provider>,
  notice: (text: string) => void,
  signal: AbortSignal,
): Promise<Provider> {
  if (name !== 'auto') {
    const provider = namedProvider(name, providers);
    const state = await provider.availability(signal);
    if (state.available) return provider;
    throw requirementError({ expected: `provider ${name} can work here`, found: state.reason, remedy: state.remedy });
  }
  const kind = providers.get('kind');
  const state = await kind.availability(signal);
  notice(
    state.available
      ? `provider kind: ${state.detail}`
      : `provider local, since kind can't work here: ${state.reason} (${state.remedy})`,
  );
  return state.available ? kind : providers.get('local');
}

/** @throws {ActionableError} of kind `input` for a name that is neither a provider's nor `auto`. */
export function namedProvider(name: string, providers: Registry<Provider>): Provider {
  if (providers.names().includes(name)) return providers.get(name);
  throw inputError({
    expected: `a provider is one of auto, ${providers.names().join(', ')}`,
    found: `unknown provider "${shown(name)}"`,
    remedy: 'use one of these names',
  });
}
