import type {
  CommittedName,
  ConntrackDestroyer,
  ObserverCosts,
  PacketSighting,
  ProxyWork,
  RuleChange,
  RuntimeStep,
} from './evidence.ts';
import type { Protocol } from './flow.ts';
import type { Measured } from './measured.ts';
import type { TimelinePoint } from './time.ts';

/** A write to the API server, on the trial's timeline. */
export interface PlacedCommit {
  readonly name: CommittedName;
  readonly pod: string;
  /** The user name of whoever wrote. */
  readonly by: string;
  readonly at: TimelinePoint;
}

/** Writes that made events true; those that a watch told of stand at the events of the timeline. */
export interface CommitsSeen {
  readonly commits: number;
  /** After the trigger, and no watch told of them while the trial was observed. */
  readonly unreceived: readonly PlacedCommit[];
}

/** What the container runtime did, on the trial's timeline. */
export type PlacedRuntimeStep = RuntimeStep & { readonly at: TimelinePoint };

export interface PlacedRuleChange {
  readonly change: RuleChange['change'];
  readonly protocol: Protocol;
  readonly at: TimelinePoint;
}

/** Entries of the flows that led to the pod and that were destroyed after the trigger. */
export interface ClearedEntries {
  readonly protocol: Protocol;
  readonly by: ConntrackDestroyer;
  readonly entries: number;
  /** Null where the kernel told no time of any. */
  readonly first: TimelinePoint | null;
  readonly last: TimelinePoint | null;
}

export interface ConntrackSeen {
  readonly entries: number;
  /** Without those of TCP that the kernel destroyed, as it does with each connection that has ended. */
  readonly cleared: readonly ClearedEntries[];
}

/** How many packets of the flows, by kind. */
export type PacketsSeen = Readonly<Record<PacketSighting['kind'], number>>;

/** What the observers of the data plane and of the API server's writes saw of one trial; a flow's own is with the flow. */
export interface TrialEvidence {
  readonly commits: Measured<CommitsSeen>;
  readonly runtime: Measured<readonly PlacedRuntimeStep[]>;
  readonly conntrack: Measured<ConntrackSeen>;
  readonly rules: Measured<readonly PlacedRuleChange[]>;
  readonly kubeProxy: Measured<ProxyWork>;
  readonly packets: Measured<PacketsSeen>;
  readonly costs: Measured<ObserverCosts>;
}
