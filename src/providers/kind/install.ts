import { existsSync } from 'node:fs';
import type { ChartInstallation, ProxyMode } from '../../domain/cluster.ts';
import { inputError, type FailureFacts } from '../../domain/errors.ts';
import type { Runner } from '../../process/runner.ts';
import type { Docker } from './docker.ts';
import { askHelm, installChart } from './install-chart.ts';
import { installManifest } from './install-manifest.ts';
import { nodeKubectl } from './node-kubectl.ts';

/** What installing takes of this machine. */
export interface InstallTools {
  readonly runner: Runner;
  readonly docker: Docker;
  readonly environment: NodeJS.ProcessEnv;
  /** Manifests to install in place of charts, by the name of the proxy mode: paths of files. */
  readonly manifests: Readonly<Record<string, string>>;
}

/** A cluster that has to have something installed before it is used. */
export interface InstallTarget {
  /** kind's name of the cluster: `NAME-control-plane` is its first node. */
  readonly cluster: string;
  readonly kubeconfig: string;
}

/** The port of a kind control plane's API server on the nodes' network. */
const apiServerPort = 6443;

/** Why a proxy mode can't be installed from here; undefined where it can, as far as is known. */
export async function installLack(
  mode: ProxyMode,
  { runner, environment, manifests }: InstallTools,
  signal: AbortSignal,
): Promise<FailureFacts | undefined> {
  if (mode.install === undefined) return undefined;
  const manifest = manifests[mode.name];
  if (manifest === undefined) return askHelm(mode.install, { runner, environment }, signal);
  if (existsSync(manifest)) return undefined;
  throw inputError({
    expected: `the manifest of ${mode.install.chart} is a file`,
    found: `there is no ${manifest}`,
    remedy: 'correct the path, or leave it out to have the Helm chart installed',
  });
}

/**
 * Installs what the mode lacks on a fresh cluster and waits until its nodes can be used.
 * @throws {ActionableError} of kind `harness` when something fails or takes too long
 */
export async function install(
  mode: string,
  installation: ChartInstallation,
  { cluster, kubeconfig }: InstallTarget,
  { runner, docker, environment, manifests }: InstallTools,
  signal: AbortSignal,
): Promise<void> {
  const controlPlane = `${cluster}-control-plane`;
  const kubectl = nodeKubectl(docker, controlPlane, signal);
  const apiServer = { host: controlPlane, port: apiServerPort };
  const manifest = manifests[mode];
  if (manifest === undefined)
    await installChart(installation, { kubeconfig, apiServer }, { runner, environment }, signal);
  else await installManifest(manifest, apiServer, kubectl);
  for (const rollout of installation.rollouts) await kubectl.rolledOut(installation.namespace, rollout);
  await kubectl.nodesReady();
  // what was waiting for a network starts now, and would start into the first trial
  await kubectl.rolledOut('kube-system', 'deployment/coredns');
}
