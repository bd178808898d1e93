import type { Commit } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import { commitsIn } from '../../../kube/audit-log.ts';
import { whatFailed } from '../../../process/command-failure.ts';
import type { WallClockMoments } from '../../../timeline/wall-clock.ts';
import type { Docker } from '../docker.ts';
import { auditLogPath } from './audit.ts';

const readMs = 20_000;

/** The lines of the API server's audit log that name the namespace; not measured where there is no such log. */
export async function readAuditLog(
  docker: Docker,
  controlPlane: string,
  namespace: string,
  signal: AbortSignal,
): Promise<Measured<string>> {
  try {
    // exit code 1: no line does
    const args = ['exec', controlPlane, 'grep', '--fixed-strings', `"namespace":"${namespace}"`, auditLogPath];
    const { stdout } = await docker(args, { signal, timeoutMs: readMs, okExitCodes: [0, 1] });
    return measured(stdout);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`the audit log of ${controlPlane} can't be read: ${whatFailed(error)}`);
  }
}

export function readCommits(
  log: Measured<string>,
  namespace: string,
  moments: WallClockMoments,
): Measured<readonly Commit[]> {
  if (log.status === 'not-measured') return log;
  const commits = commitsIn(log.value, namespace, moments);
  if (commits.length === 0) return notMeasured(`the audit log holds no write of namespace ${namespace}`);
  return measured(commits);
}
