import { setTimeout as delay } from 'node:timers/promises';
import { harnessError } from '../../domain/errors.ts';
import type { Runner } from '../../process/runner.ts';
import type { StateFolder } from './cluster-state.ts';
import type { Docker } from './docker.ts';
import { whatFailed } from '../../process/command-failure.ts';

export interface KindContext {
  readonly runner: Runner;
  readonly docker: Docker;
  readonly environment: NodeJS.ProcessEnv;
  readonly states: StateFolder;
}

const deleteMs = 120_000;
const sweeps = 10;
const pauseMs = 500;

/** The containers of a cluster, running or not. kind finds them by the same label. */
const containersOf = async (docker: Docker, cluster: string): Promise<readonly string[]> => {
  const filter = ['--filter', `label=io.x-k8s.kind.cluster=${cluster}`];
  const { stdout } = await docker(['ps', '--all', '--quiet', ...filter], { timeoutMs: deleteMs });
  return stdout.split('\n').filter((id) => id !== '');
};

/**
 * Deletes the cluster, its kubeconfig and its state, and verifies that no container of it is left. It takes no
 * signal: an abort is the very reason for deleting. Its state stays when it fails, so that the next run tries again.
 *
 * `interrupted`: its creation was cut off, so that the daemon may still be carrying out a last request and a
 * container may appear after the others are gone.
 * @throws {ActionableError} of kind `harness` when a container can't be removed.
 */
export async function deleteCluster(
  { runner, docker, environment, states }: KindContext,
  cluster: string,
  { kind, interrupted }: { readonly kind: string | undefined; readonly interrupted: boolean },
): Promise<void> {
  let cause: unknown;
  if (kind !== undefined) {
    try {
      const args = ['delete', 'cluster', '--name', cluster, '--kubeconfig', states.kubeconfigOf(cluster)];
      await runner.run(kind, args, { env: environment, timeoutMs: deleteMs });
    } catch (error) {
      // another run may be deleting the same cluster; the containers below tell what is true
      cause = error;
    }
  }
  let clear = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const containers = await containersOf(docker, cluster);
    clear = containers.length === 0 ? clear + 1 : 0;
    if (clear === (interrupted ? 3 : 1)) {
      states.remove(cluster);
      return;
    }
    try {
      if (containers.length > 0) await docker(['rm', '--force', '--volumes', ...containers], { timeoutMs: deleteMs });
    } catch (error) {
      cause = error;
    }
    await delay(pauseMs);
  }
  throw harnessError(
    {
      expected: `cluster ${cluster} can be deleted`,
      found: `containers of it are left${cause === undefined ? '' : `: ${whatFailed(cause)}`}`,
      remedy: `remove them with \`docker rm --force --volumes $(docker ps -aq --filter label=io.x-k8s.kind.cluster=${cluster})\``,
    },
    cause,
  );
}
