import { ActionableError, harnessError } from '../../domain/errors.ts';
import { identify } from '../../process/process-identity.ts';
import type { ClusterState } from './cluster-state.ts';
import type { KindContext } from './delete-cluster.ts';

/** Longer than kind's own waits together: it only ends a kind that hangs. */
const createMs = 10 * 60_000;

export interface NewCluster {
  readonly kind: string;
  readonly cluster: string;
  /** kind's configuration file. */
  readonly config: string;
  /** Always named: the default of a kind binary is another one in each of its releases. */
  readonly nodeImage: string;
  /** Without a pod network no node becomes ready: there is nothing to wait for yet. */
  readonly waitForReady: boolean;
  /** Leave what there is of it when it fails, so that its logs can be read. */
  readonly retain: boolean;
}

/**
 * Creates the cluster and waits, where it can become so, until its control plane is ready. Its state is on disk before anything else is; the
 * caller deletes, whether this succeeds or not.
 * @throws {ActionableError} of kind `harness` when kind fails.
 */
export async function createCluster(
  { runner, environment, states }: KindContext,
  { kind, cluster, config, nodeImage, waitForReady, retain }: NewCluster,
  signal: AbortSignal,
): Promise<void> {
  const owner = identify(process.pid);
  if (owner === undefined) throw new Error('this process has no entry in /proc');
  const state: ClusterState = { schemaVersion: 1, cluster, createdAt: new Date().toISOString(), owner, kind: null };
  states.save(state);
  const args = [
    ...['create', 'cluster', '--name', cluster, '--config', '-'],
    ...(waitForReady ? ['--wait', '120s'] : []),
    ...['--kubeconfig', states.kubeconfigOf(cluster)],
    ...['--image', nodeImage],
    ...(retain ? ['--retain'] : []),
  ];
  try {
    await runner.run(kind, args, {
      signal,
      timeoutMs: createMs,
      input: config,
      env: environment,
      onSpawn: (pid) => {
        states.save({ ...state, kind: identify(pid) ?? null });
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw kindFailure(error);
  }
  states.save(state);
}

/** kind prints one line that says what failed, and after it the failed command's output and a stack. */
function kindFailure(error: unknown): unknown {
  if (!(error instanceof ActionableError)) return error;
  const output = error.cause instanceof Error && 'stderr' in error.cause ? error.cause.stderr : undefined;
  const line = typeof output === 'string' ? /^ERROR: (.*)$/m.exec(output)?.[1] : undefined;
  if (line === undefined) return error;
  return harnessError(
    {
      expected: 'kind creates the cluster',
      found: line,
      remedy: "look at kind's output, which the cause of this error holds",
    },
    error.cause,
  );
}
