import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ChartInstallation } from '../../domain/cluster.ts';
import { harnessError, type FailureFacts } from '../../domain/errors.ts';
import { whatFailed } from '../../process/command-failure.ts';
import type { Runner } from '../../process/runner.ts';

export interface HelmTools {
  readonly runner: Runner;
  readonly environment: NodeJS.ProcessEnv;
}

const pullMs = 120_000;
const installMs = 120_000;

/** Why the chart can't be installed from here: helm does not answer. Undefined where it does. */
export async function askHelm(
  { chart, version }: Pick<ChartInstallation, 'chart' | 'version'>,
  { runner, environment }: HelmTools,
  signal: AbortSignal,
): Promise<FailureFacts | undefined> {
  try {
    await runner.run('helm', ['version', '--short'], { signal, env: environment, timeoutMs: 20_000 });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return {
      expected: `helm is on PATH, to install chart ${chart} ${version}`,
      found: whatFailed(error),
      remedy: `install Helm, or give a manifest of ${chart} (--${chart}-manifest)`,
    };
  }
}

/**
 * Pulls the chart, holds it against its pinned checksum, and installs it. Its images are pinned by the chart itself.
 * @throws {ActionableError} of kind `harness` when it can't be had, is another one, or can't be installed
 */
export async function installChart(
  installation: ChartInstallation,
  target: { readonly kubeconfig: string; readonly apiServer: { readonly host: string; readonly port: number } },
  { runner, environment }: HelmTools,
  signal: AbortSignal,
): Promise<void> {
  const { chart, repository, version, namespace } = installation;
  const folder = await mkdtemp(join(tmpdir(), 'drainwatch-chart-'));
  try {
    const pull = ['pull', chart, '--repo', repository, '--version', version, '--destination', folder];
    await runner.run('helm', pull, { signal, env: environment, timeoutMs: pullMs });
    const archive = join(folder, `${chart}-${version}.tgz`);
    await requireChecksum(archive, installation);
    const install = ['install', chart, archive, '--namespace', namespace, '--kubeconfig', target.kubeconfig];
    const input = stringify(installation.values(target.apiServer));
    await runner.run('helm', [...install, '--values', '-'], { signal, env: environment, timeoutMs: installMs, input });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireChecksum(
  archive: string,
  { chart, version, sha256, repository }: ChartInstallation,
): Promise<void> {
  const found = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');
  if (found === sha256) return;
  throw harnessError({
    expected: `the archive of chart ${chart} ${version} has SHA-256 ${sha256}`,
    found: `the one from ${repository} has ${found}`,
    remedy: 'do not use it; find out what changed it on its way',
  });
}
