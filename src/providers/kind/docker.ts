import { connect } from 'node:net';
import { z } from 'zod';
import type { Availability } from '../../domain/cluster.ts';
import { ActionableError } from '../../domain/errors.ts';
import type { CommandResult, Runner, RunOptions } from '../../process/runner.ts';
import { whatFailed } from '../../process/command-failure.ts';

export type Unavailable = Extract<Availability, { available: false }>;

/** Runs `docker` with these arguments. */
export type Docker = (args: readonly string[], options?: Omit<RunOptions, 'env'>) => Promise<CommandResult>;

export const createDocker =
  (runner: Runner, environment: NodeJS.ProcessEnv): Docker =>
  (args, options = {}) =>
    runner.run('docker', args, { ...options, env: environment });

/** A daemon that answers. */
export interface DockerDaemon {
  readonly available: true;
  readonly version: string;
  readonly architecture: string;
}

const versionForm = z.object({
  Server: z.object({ Version: z.string(), Os: z.string(), Arch: z.string() }).nullish(),
});

/** Time for a daemon's answer: one that holds its socket and stays silent is as good as none. */
const answerMs = 20_000;

/** Whether a Docker daemon answers, and, if none does, which of the usual reasons it is. */
export async function askDocker(
  docker: Docker,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<DockerDaemon | Unavailable> {
  let answer: CommandResult;
  try {
    // an unreachable daemon is exit code 1 with the client's half of the answer
    answer = await docker(['version', '--format', '{{json .}}'], { signal, timeoutMs: answerMs, okExitCodes: [0, 1] });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ActionableError && error.kind === 'requirement') {
      return unavailable('the docker command is not installed', 'install Docker Engine: the daemon and its command');
    }
    return unavailable(whatFailed(error), 'see that `docker version` answers');
  }
  const server = serverOf(answer.stdout);
  if (server === undefined) return explainSilence(docker, environment, answer.stderr, signal);
  if (server.Os !== 'linux') {
    return unavailable(`the Docker daemon runs ${server.Os} containers`, 'use a daemon that runs Linux containers');
  }
  return { available: true, version: server.Version, architecture: server.Arch };
}

const unavailable = (reason: string, remedy: string): Unavailable => ({ available: false, reason, remedy });

function serverOf(stdout: string) {
  try {
    return versionForm.parse(JSON.parse(stdout)).Server ?? undefined;
  } catch {
    return undefined;
  }
}

/** Asks the socket itself why, since its errno is a fact where the command's message is prose. */
async function explainSilence(
  docker: Docker,
  environment: NodeJS.ProcessEnv,
  complaint: string,
  signal: AbortSignal,
): Promise<Unavailable> {
  const endpoint = environment.DOCKER_HOST ?? (await contextEndpoint(docker, signal));
  const path = endpoint.startsWith('unix://') ? endpoint.slice('unix://'.length) : undefined;
  switch (path === undefined ? undefined : await connectError(path)) {
    case 'EACCES':
    case 'EPERM':
      return unavailable(
        `this user may not use the Docker socket ${path}`,
        'add the user to the group docker and log in again, or use a rootless Docker',
      );
    case 'ENOENT':
    case 'ECONNREFUSED':
      return unavailable(`no Docker daemon runs behind ${path}`, 'start it, for example: sudo systemctl start docker');
    default:
      return unavailable(
        `the Docker daemon at ${endpoint} does not answer: ${complaint.trim().split('\n').at(-1) ?? ''}`,
        'see that `docker version` shows a server',
      );
  }
}

async function contextEndpoint(docker: Docker, signal: AbortSignal): Promise<string> {
  const { stdout } = await docker(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'], {
    signal,
    okExitCodes: [0, 1],
  });
  return stdout === '' ? 'unix:///var/run/docker.sock' : stdout;
}

/** The errno of connecting to a Unix socket; undefined when it can be connected to. */
function connectError(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.setTimeout(2000, () => {
      socket.destroy();
      resolve('ETIMEDOUT');
    });
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code);
    });
  });
}
