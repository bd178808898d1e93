import { whatFailed } from '../../process/command-failure.ts';
import type { KindContext } from './delete-cluster.ts';

/** When a cluster's logs may be kept: after a creation that failed, at its regular end, or long after its run was killed. */
export type LogMoment = 'not-created' | 'closing' | 'stale';

/** Where the logs of a cluster go that is about to be deleted; undefined where nobody wants them. */
export type ClusterLogs = (cluster: string, moment: LogMoment) => string | undefined;

/** Some hundred files of a few MB each; nodes that no longer answer take a time-out each. */
const exportMs = 120_000;

/** `kind export logs`. A failure is told of and never keeps the cluster from being deleted. */
export async function keepLogs(
  { runner, environment }: Pick<KindContext, 'runner' | 'environment'>,
  { kind, cluster, folder }: { readonly kind: string; readonly cluster: string; readonly folder: string | undefined },
  notice: (text: string) => void,
): Promise<void> {
  if (folder === undefined) return;
  try {
    const args = ['export', 'logs', folder, '--name', cluster];
    await runner.run(kind, args, { env: environment, timeoutMs: exportMs });
    notice(`the logs of cluster ${cluster} are in ${folder}`);
  } catch (error) {
    notice(`the logs of cluster ${cluster} could not all be kept: ${whatFailed(error)}`);
  }
}
