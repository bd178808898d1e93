import { readFileSync } from 'node:fs';
import type { EvidenceKind, EvidenceSite, ObserverCosts, RawEvidence } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured, valueOf } from '../../../domain/measured.ts';
import type { MonitorLine } from '../../../timeline/evidence/rule-changes.ts';
import type { WallClockMoments } from '../../../timeline/wall-clock.ts';
import { readCommits } from './commits.ts';
import type { NodeFiles } from './node-files.ts';
import { nodeObservers, type NodeObserver } from './observe-script.ts';
import { observerEnd, type ObserverEnd } from './observer-end.ts';
import { readConntrack } from './read-conntrack.ts';
import { readKubeProxy } from './read-kube-proxy.ts';
import { readPackets } from './read-packets.ts';
import { readRules } from './read-rules.ts';
import { readRuntime } from './read-runtime.ts';

/** All that was brought back of one trial's observers. */
export interface Recorded {
  readonly files: NodeFiles;
  /** Whether the node's files are there, and whole. */
  readonly copied: Measured<null>;
  readonly lines: readonly MonitorLine[];
  readonly log: Measured<string>;
  readonly site: EvidenceSite;
  readonly kinds: ReadonlySet<EvidenceKind>;
  readonly clientPorts: ReadonlySet<number>;
  readonly moments: WallClockMoments;
}

/** Reads what the observers brought, each piece by itself: what one lacks keeps no other from being measured. */
export async function readEvidence(recorded: Recorded): Promise<RawEvidence> {
  const { files, copied, lines, log, site, kinds, clientPorts, moments } = recorded;
  const { podAddress, namespace, node } = site;
  const asked = async <T>(kind: EvidenceKind, read: () => T | Promise<T>) =>
    kinds.has(kind) ? read() : notMeasured(`not asked for: ${kind}`);
  const commits = await asked('commits', () => readCommits(log, namespace, moments));
  const unusable = copied.status === 'not-measured' ? copied : await otherKernel(files, node);
  if (unusable !== undefined) {
    const nothing = {
      runtime: unusable,
      conntrack: unusable,
      rules: unusable,
      kubeProxy: unusable,
      packets: unusable,
      costs: unusable,
    };
    return { podAddress, commits, ...nothing };
  }
  const end = (observer: NodeObserver) => observerEnd(observer, files, node);
  const ends = {
    'conntrack-tcp': await end('conntrack-tcp'),
    'conntrack-udp': await end('conntrack-udp'),
    packets: await end('packets'),
    rules: await end('rules'),
  };
  const tracking = [ends['conntrack-tcp'], ends['conntrack-udp']];
  return {
    podAddress,
    commits,
    runtime: await asked('runtime', () => readRuntime(files, { site, moments })),
    conntrack: await asked('conntrack', () => readConntrack(files, tracking, { node, clientPorts, moments })),
    rules: await asked('rules', () => readRules(files, ends.rules, { site, lines })),
    kubeProxy: await asked('kube-proxy', () => readKubeProxy(files, node)),
    packets: await asked('packets', () => readPackets(files, ends.packets, { site, clientPorts, moments })),
    costs: costsOf(ends),
  };
}

/** A node of another kernel has clocks of its own, that nothing here is placed by. */
async function otherKernel(files: NodeFiles, node: string): Promise<Measured<never> | undefined> {
  const bootId = await files.text('boot-id');
  if (bootId === readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) return undefined;
  return notMeasured(`node ${node} runs on another kernel than this program, whose clocks can't be related`);
}

function costsOf(ends: Readonly<Record<NodeObserver, Measured<ObserverEnd>>>): Measured<ObserverCosts> {
  const costs = new Map<string, number>();
  for (const observer of Object.keys(ends) as readonly NodeObserver[]) {
    const cpuMs = valueOf(ends[observer])?.cpuMs ?? null;
    const program = nodeObservers[observer];
    if (cpuMs !== null) costs.set(program, (costs.get(program) ?? 0) + cpuMs);
  }
  return costs.size === 0
    ? notMeasured('no observer ran to its end and told its CPU time')
    : measured(Object.fromEntries(costs));
}
