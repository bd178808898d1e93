import { readFileSync } from 'node:fs';

/**
 * One process, and never another that was given the same pid later: the kernel's start time of the process, in clock
 * ticks since boot (proc_pid_stat(5), field 22), and the boot that those ticks count from.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
}

/**
 * Undefined when no such process runs; one that ended and only waits to be reaped does not run. Synchronous (procfs is
 * memory), so that nothing can happen between a check and the signal that it allows.
 */
export function identify(pid: number): ProcessIdentity | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // the command's name stands in parentheses and may itself hold spaces and parentheses
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = fields[18];
  if (startTicks === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, startTicks, bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() };
}

/** Whether exactly this process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  const found = identify(identity.pid);
  return found?.startTicks === identity.startTicks && found.bootId === identity.bootId;
}
