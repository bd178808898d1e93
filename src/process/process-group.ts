import { setTimeout as delay } from 'node:timers/promises';

/**
 * Whether any process of the group took the signal.
 * @throws {RangeError} for a number that names no group of ours: to kill(2), -1 is every process that there is.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  if (!Number.isInteger(leader) || leader <= 1) throw new RangeError(`${leader} leads no group that may be signalled`);
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends every process of the group: SIGTERM, and SIGKILL for whoever still runs after `graceMs`. The children of an
 * obedient leader are waited for like the leader itself, so that none is left behind.
 */
export async function endGroup(leader: number, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  let lives = signalGroup(leader, 'SIGTERM');
  while (lives && performance.now() < deadline) {
    await delay(10);
    lives = signalGroup(leader, 0);
  }
  if (lives) signalGroup(leader, 'SIGKILL');
}

const guarded = new Set<number>();
const fatalSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const killGuarded = () => {
  // nobody is left to follow a SIGTERM up
  for (const leader of guarded) signalGroup(leader, 'SIGKILL');
  guarded.clear();
};
const dieAsUnhandled = (signal: NodeJS.Signals) => {
  // somebody else listens: that somebody decides how the process ends
  if (process.listenerCount(signal) > 1) return;
  killGuarded();
  process.off(signal, dieAsUnhandled);
  process.kill(process.pid, signal);
};

/**
 * Ends the group when this process ends, by return, exception or an unhandled signal, until the returned function is
 * called. execa's `cleanup` does so for the child alone, and not at all for a child that leads a group of its own.
 */
export function endGroupWithUs(leader: number): () => void {
  if (guarded.size === 0) {
    process.on('exit', killGuarded);
    for (const signal of fatalSignals) process.on(signal, dieAsUnhandled);
  }
  guarded.add(leader);
  return () => {
    if (!guarded.delete(leader) || guarded.size > 0) return;
    process.off('exit', killGuarded);
    for (const signal of fatalSignals) process.off(signal, dieAsUnhandled);
  };
}
