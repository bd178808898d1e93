import { randomBytes } from 'node:crypto';
import { AsyncDisposableStack } from '@whatwg-node/disposablestack';
import type { ClusterSpec, Provider, ProxyMode } from '../../domain/cluster.ts';
import type { ToolRecord } from '../../domain/environment.ts';
import { type FailureFacts, requirementError } from '../../domain/errors.ts';
import { measured } from '../../domain/measured.ts';
import { openKubernetesCluster } from '../../kube/kubernetes-cluster.ts';
import type { Runner } from '../../process/runner.ts';
import { proxyModes } from '../../proxy-modes/index.ts';
import { imageLack, kindAvailability } from './availability.ts';
import { cleanStaleClusters } from './clean-stale.ts';
import { clusterConfig } from './cluster-config.ts';
import { keepLogs, type ClusterLogs } from './cluster-logs.ts';
import { openStateFolder } from './cluster-state.ts';
import { createCluster } from './create-cluster.ts';
import { deleteCluster, type KindContext } from './delete-cluster.ts';
import { askDocker, createDocker } from './docker.ts';
import { writeAuditPolicy } from './evidence/prepare.ts';
import { createEvidenceRecorder } from './evidence/recorder.ts';
import { readHostTools } from './host-tools.ts';
import { install, installLack, type InstallTools } from './install.ts';
import { kernelLack, prepareKernel } from './kernel-needs.ts';
import { findKind, type KindLookup, obtainKind } from './kind-binary.ts';
import { ensureNodeImage, type NodeImageDefaults, readNodeImage, resolveNodeImage } from './node-image.ts';
import { buildProbeImage } from './probe-image.ts';
import { readServiceRules } from './service-rules.ts';
import { readSysctls } from './sysctls.ts';

export interface KindProviderOptions {
  readonly runner: Runner;
  readonly tool: ToolRecord;
  /** Path of the built probe. */
  readonly probeBundle: string;
  /** Where each cluster's state and kubeconfig stand while it exists. */
  readonly stateFolder: string;
  /** Where a downloaded kind is kept. */
  readonly cacheFolder: string;
  /** The kind binary to use; else it is found or downloaded. */
  readonly kindPath?: string;
  /** The node images of clusters whose specification names neither image nor version (`parseNodeImages`). */
  readonly nodeImage?: string;
  /** Kubernetes versions that clusters will be asked for, for availability to look for their images. */
  readonly kubernetesVersions?: readonly string[];
  /** Proxy modes that clusters will be asked for, likewise. */
  readonly proxyModes?: readonly string[];
  /** Manifests to install in place of charts, by the name of the proxy mode: paths of files. */
  readonly manifests?: Readonly<Record<string, string>>;
  /** The node port that workloads are dialled at; else the cluster chooses. */
  readonly nodePort?: number;
  readonly notice: (text: string) => void;
  /** Asked before a cluster is deleted. By default no logs are kept. */
  readonly clusterLogs?: ClusterLogs;
  /** The environment of all commands, this process's own by default. TESTBED_NODE_IMAGE names a default node image. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder of kind's releases; another one in tests. */
  readonly downloads?: string;
}

type ExpectedClusters = Pick<KindProviderOptions, 'nodeImage' | 'kubernetesVersions' | 'proxyModes'>;

export interface KindProvider extends Provider {
  /** Deletes clusters that runs that were killed have left, and gives their names. */
  cleanStale(signal: AbortSignal): Promise<readonly string[]>;
}

/** Fresh clusters in Docker containers, deleted when they are disposed. */
export function createKindProvider(options: KindProviderOptions): KindProvider {
  const { runner, notice } = options;
  // another container engine that the user may have told kind to use is not the one that is asked here
  const environment: NodeJS.ProcessEnv = {
    ...(options.environment ?? process.env),
    KIND_EXPERIMENTAL_PROVIDER: 'docker',
  };
  const docker = createDocker(runner, environment);
  const states = openStateFolder(options.stateFolder);
  const context: KindContext = { runner, docker, environment, states };
  const lookup: KindLookup = {
    kindPath: options.kindPath,
    environment,
    cacheFolder: options.cacheFolder,
    ...(options.downloads !== undefined && { downloads: options.downloads }),
  };
  const imageDefaults = { asked: options.nodeImage, environment };
  const tools: InstallTools = { runner, docker, environment, manifests: options.manifests ?? {} };

  const cleanStale = async (signal: AbortSignal) =>
    cleanStaleClusters(context, await findKind(lookup), notice, signal, options.clusterLogs);

  return {
    name: 'kind',
    capabilities: new Set(['kubernetes-api', 'multi-node', 'node-exec', 'cluster-configuration']),
    cleanStale,
    availability: (signal) => kindAvailability(docker, lookup, expectedImages(options, imageDefaults), signal),

    async lack(spec, signal) {
      const mode = modeOf(spec.proxyMode);
      const own = mode && ((await kernelLack(mode, runner, signal)) ?? (await installLack(mode, tools, signal)));
      return own ?? imageLack(docker, resolveNodeImage(spec, imageDefaults), signal);
    },

    async open(asked: ClusterSpec, signal: AbortSignal) {
      const daemon = await askDocker(docker, environment, signal);
      if (!daemon.available) {
        throw requirementError({ expected: 'Docker answers', found: daemon.reason, remedy: daemon.remedy });
      }
      const mode = modeOf(asked.proxyMode);
      const spec = mode?.configure(asked) ?? asked;
      if (mode !== undefined) {
        refuse((await prepareKernel(mode, runner, signal)) ?? (await installLack(mode, tools, signal)));
      }
      const nodeImage = resolveNodeImage(spec, imageDefaults);
      await ensureNodeImage(docker, nodeImage, notice, signal);
      await cleanStale(signal);
      const kind = await obtainKind(lookup, notice, signal);
      const probe = await buildProbeImage({ runner, probeBundle: options.probeBundle, environment }, signal);

      const cluster = `drainwatch-${randomBytes(4).toString('hex')}`;
      await using undo = new AsyncDisposableStack();
      undo.defer(() => deleteCluster(context, cluster, { kind, interrupted: true }));
      const logs = (moment: 'not-created' | 'closing') =>
        keepLogs(context, { kind, cluster, folder: options.clusterLogs?.(cluster, moment) }, notice);
      undo.defer(() => logs('not-created'));
      notice(`creating cluster ${cluster} for ${spec.name}`);
      const retain = options.clusterLogs !== undefined;
      const waitForReady = spec.podNetwork !== false;
      const config = clusterConfig(spec, writeAuditPolicy(spec, states, cluster));
      const creation = { kind, cluster, config, nodeImage, waitForReady, retain };
      await createCluster(context, creation, signal);
      if (mode?.install !== undefined) {
        notice(`installing ${mode.name} on cluster ${cluster}`);
        const target = { cluster, kubeconfig: states.kubeconfigOf(cluster) };
        await install(mode.name, mode.install, target, tools, signal);
      }
      const load = ['load', 'docker-image', probe.reference, '--name', cluster];
      await runner.run(kind, load, { signal, env: environment, timeoutMs: 300_000 });
      const opened = await openKubernetesCluster(
        {
          kubeconfigPath: states.kubeconfigOf(cluster),
          provider: 'kind',
          name: cluster,
          probeImage: probe.reference,
          imagePullPolicy: 'Never',
          tool: options.tool,
          nodeImage: await readNodeImage(docker, `${cluster}-control-plane`, signal),
          hostTools: await readHostTools({ runner, kind, environment, docker: daemon.version }, signal),
          readSysctls: (node, abort) => readSysctls(docker, node, abort),
          readServiceRules: (node, abort) => readServiceRules(docker, node, abort),
          verifyEveryNode: true,
          onDispose: async () => {
            await logs('closing');
            await deleteCluster(context, cluster, { kind, interrupted: false });
          },
          notice,
          ...(options.nodePort !== undefined && { nodePort: options.nodePort }),
          ...(mode !== undefined && { requestedProxyMode: mode.name }),
          ...(spec.kubernetesVersion !== undefined && { requestedVersion: spec.kubernetesVersion }),
          ...(spec.evidence === true && {
            evidence: measured(createEvidenceRecorder({ runner, environment }, `${cluster}-control-plane`)),
          }),
        },
        signal,
      );
      undo.move();
      return opened;
    },
  };
}

/** As `run` asks for clusters. */
function expectedImages(
  { nodeImage, kubernetesVersions = [], proxyModes: modes = [] }: ExpectedClusters,
  defaults: NodeImageDefaults,
): readonly string[] {
  const named = nodeImage === undefined ? {} : { nodeImage };
  const versions =
    kubernetesVersions.length === 0 ? [{}] : kubernetesVersions.map((name) => ({ kubernetesVersion: name }));
  const specs =
    modes.length === 0 ? versions : versions.flatMap((spec) => modes.map((proxyMode) => ({ ...spec, proxyMode })));
  return [...new Set(specs.map((spec) => resolveNodeImage({ ...named, ...spec }, defaults)))];
}

const modeOf = (name: string | undefined): ProxyMode | undefined =>
  name === undefined ? undefined : proxyModes.get(name);

/** @throws {ActionableError} of kind `requirement` where something is lacking */
function refuse(lack: FailureFacts | undefined): void {
  if (lack !== undefined) throw requirementError(lack);
}
