import { readlinkSync } from 'node:fs';
import { z } from 'zod';
import { identify, isAlive } from '../process/process-identity.ts';

/** Annotation by which everything that is made names the process that answers for it. */
export const ownerKey = 'drainwatch/owner';

/**
 * A process, and the PID namespace in which its pid means it (pid_namespaces(7)): containers of one kernel share the
 * boot id, and each counts its pids for itself.
 */
const ownerSchema = z.object({
  pid: z.int().positive(),
  startTicks: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
});

type Owner = z.infer<typeof ownerSchema>;

/** Undefined where /proc does not tell. */
function thisProcess(): Owner | undefined {
  const identity = identify(process.pid);
  if (identity === undefined) return undefined;
  try {
    return { ...identity, pidNamespace: readlinkSync('/proc/self/ns/pid') };
  } catch {
    return undefined;
  }
}

/** Annotations of what this process makes; none where it can't be told from others. */
export function ownerAnnotations(): Record<string, string> {
  const owner = thisProcess();
  return owner === undefined ? {} : { [ownerKey]: JSON.stringify(owner) };
}

/** An object as the API server describes it, as far as ownership goes. */
export interface Owned {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly creationTimestamp?: Date | undefined;
}

/**
 * Whoever can't be asked is believed to live this long: a workload serves one trial of minutes, and clocks of hosts
 * may be hours apart.
 */
const believedMs = 24 * 60 * 60_000;

/**
 * Whether nobody answers for the object any more. Exact for owners of this machine and PID namespace; one of another
 * machine, or of an earlier boot, is given a day from the object's creation.
 */
export function isAbandoned({ annotations, creationTimestamp }: Owned, now: Date): boolean {
  const owner = ownerOf(annotations?.[ownerKey]);
  const here = thisProcess();
  if (owner !== undefined && owner.bootId === here?.bootId && owner.pidNamespace === here.pidNamespace) {
    return !isAlive(owner);
  }
  return creationTimestamp !== undefined && now.getTime() - creationTimestamp.getTime() > believedMs;
}

function ownerOf(text: string | undefined): Owner | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}
