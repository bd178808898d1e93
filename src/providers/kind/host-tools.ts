import { measured, type Measured, notMeasured } from '../../domain/measured.ts';
import { whatFailed } from '../../process/command-failure.ts';
import type { Runner } from '../../process/runner.ts';

export interface HostTools {
  readonly runner: Runner;
  readonly environment: NodeJS.ProcessEnv;
  /** The kind program. */
  readonly kind: string;
  /** The Docker daemon's version. */
  readonly docker: string;
}

/** What made the cluster: the versions of kind and of the Docker daemon. */
export async function readHostTools(
  { runner, environment, kind, docker }: HostTools,
  signal: AbortSignal,
): Promise<Measured<Readonly<Record<string, string>>>> {
  try {
    const { stdout } = await runner.run(kind, ['version'], { signal, env: environment, timeoutMs: 20_000 });
    return measured({ kind: stdout.trim(), Docker: docker });
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`kind did not tell its version: ${whatFailed(error)}`);
  }
}
