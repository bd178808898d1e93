import { isAlive, type ProcessIdentity } from '../../process/process-identity.ts';
import { signalGroup } from '../../process/process-group.ts';
import { keepLogs, type ClusterLogs } from './cluster-logs.ts';
import type { ClusterState } from './cluster-state.ts';
import { deleteCluster, type KindContext } from './delete-cluster.ts';
import { whatFailed } from '../../process/command-failure.ts';

/** A killed run leaves `kind create` behind, which would go on making what is about to be deleted. */
function endOrphan(kind: ProcessIdentity | null): void {
  // kind leads a group of its own, with the docker commands that it runs in it
  if (kind !== null && isAlive(kind)) signalGroup(kind.pid, 'SIGKILL');
}

const wasCutOff = (state: ClusterState): boolean => state.kind !== null;

/**
 * Deletes the clusters whose owners are dead, and gives their names. What can't be read or deleted is told of and
 * left; a living owner's cluster is left alone.
 */
export async function cleanStaleClusters(
  context: KindContext,
  kind: string | undefined,
  notice: (text: string) => void,
  signal: AbortSignal,
  logs: ClusterLogs = () => undefined,
): Promise<readonly string[]> {
  const deleted: string[] = [];
  for (const entry of context.states.list()) {
    signal.throwIfAborted();
    if ('problem' in entry) {
      notice(`left alone: the cluster state ${entry.path} can't be read (${entry.problem})`);
      continue;
    }
    const { state } = entry;
    if (isAlive(state.owner)) continue;
    endOrphan(state.kind);
    try {
      if (kind !== undefined) {
        await keepLogs(context, { kind, cluster: state.cluster, folder: logs(state.cluster, 'stale') }, notice);
      }
      await deleteCluster(context, state.cluster, { kind, interrupted: wasCutOff(state) });
      deleted.push(state.cluster);
      notice(`deleted cluster ${state.cluster}, which a run that was killed had left`);
    } catch (error) {
      notice(`cluster ${state.cluster}, left by a run that was killed, is still there: ${whatFailed(error)}`);
    }
  }
  return deleted;
}
