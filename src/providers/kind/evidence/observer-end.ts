import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import { netlinkDrops } from './netlink.ts';
import type { NodeFiles } from './node-files.ts';
import { nodeObservers, type NodeObserver } from './observe-script.ts';

/** An observer that ran from first to last. */
export interface ObserverEnd {
  /** Milliseconds of CPU time; null where the kernel does not tell (CONFIG_SCHED_INFO). */
  readonly cpuMs: number | null;
  /** What it wrote to its standard error. */
  readonly complaints: string;
}

/** Not measured for an observer that the node does not have, that ended by itself, or that lost events. */
export async function observerEnd(
  observer: NodeObserver,
  files: NodeFiles,
  node: string,
): Promise<Measured<ObserverEnd>> {
  const program = nodeObservers[observer];
  const file = (suffix: string) => files.text(`${observer}.${suffix}`);
  if ((await file('missing')) !== undefined) return notMeasured(`node ${node} has no ${program}`);
  if ((await file('pid')) === undefined) return notMeasured(`${program} was not started on node ${node}`);
  const complaints = (await file('err')) ?? '';
  // a process that is gone has no entry in /proc any more, so nothing was copied from there
  if (((await file('sockets')) ?? '') === '') {
    const status = ((await file('status')) ?? '').trim();
    const last = complaints.trim().split('\n').at(-1) ?? '';
    return notMeasured(`${program} ended early on node ${node}, with status ${status || 'unknown'}: ${last}`);
  }
  const dropped = netlinkDrops((await files.text('netlink')) ?? '', (await file('sockets')) ?? '');
  if (dropped > 0) return notMeasured(`${program} on node ${node} came too late for ${dropped} messages of the kernel`);
  return measured({ cpuMs: cpuMsOf(await file('cpu')), complaints });
}

/** /proc/PID/schedstat begins with the nanoseconds that the task spent on a CPU; the observers have one thread each. */
function cpuMsOf(schedstat: string | undefined): number | null {
  const ns = /^\d+/.exec(schedstat ?? '')?.[0];
  return ns === undefined ? null : Number(ns) / 1e6;
}
