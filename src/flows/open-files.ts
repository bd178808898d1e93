import { readFileSync, readdirSync } from 'node:fs';
import { requirementError } from '../domain/errors.ts';

/** For what opens and closes meanwhile: connections to the cluster, files of the report, pipes of a command. */
const spare = 100;

/**
 * A flow is a socket, and a socket is a file descriptor. Where the system does not tell its limit, nothing is required.
 *
 * @throws {ActionableError} of kind `requirement` when this process can't open as many besides what it has open.
 */
export function requireDescriptors(sockets: number): void {
  const limit = descriptorLimit();
  if (limit === undefined) return;
  const needed = openDescriptors() + sockets + spare;
  if (needed <= limit) return;
  throw requirementError({
    expected: `room for ${sockets} sockets: a limit of ${needed} open files`,
    found: `a limit of ${limit}`,
    remedy: `raise it (ulimit -n ${needed}, or LimitNOFILE of the service that runs this), or hold fewer flows`,
  });
}

/** The soft limit, which Node.js raises to the hard one when it starts (proc_pid_limits(5)). */
function descriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;
