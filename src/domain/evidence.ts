import type { EventPayloads } from './event.ts';
import type { Protocol } from './flow.ts';
import type { Measured } from './measured.ts';
import type { Endpoint } from './workload.ts';

/** What can be seen of the mechanism behind a flow's end, each by its own observer. */
export const evidenceKinds = ['commits', 'runtime', 'conntrack', 'rules', 'kube-proxy', 'packets'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** A moment of the client's monotonic clock, in nanoseconds: it lies between the two, which may be equal. */
export interface Moment {
  readonly earliestNs: bigint;
  readonly latestNs: bigint;
}

/** Events that a write to the API server makes true. */
export type CommittedName =
  | 'pod-terminating'
  | 'pod-ready'
  | 'pod-not-ready'
  | 'container-terminated'
  | 'pod-deleted'
  | 'endpoint-ready'
  | 'endpoint-not-ready'
  | 'endpoint-removed';

/**
 * What a write made true, and when: between the API server's receipt of the request and the end of its answer, as its
 * audit log has them. `by` is the user name of whoever wrote.
 */
export type Commit = {
  readonly [N in CommittedName]: {
    readonly name: N;
    readonly payload: EventPayloads[N];
    readonly by: string;
    readonly at: Moment;
  };
}[CommittedName];

/**
 * What a node's container runtime does to end a container, in its order: the kubelet asks it to (StopContainer of the CRI,
 * which carries the grace period), it sends the stop signal, SIGKILL where that did not do, sees the process end, and
 * answers the kubelet.
 */
export type RuntimeStep =
  | { readonly step: 'stop-requested'; readonly gracePeriodSeconds: number }
  /** A name as SIGTERM, where the runtime's word for it is known, else that word. */
  | { readonly step: 'signal-sent'; readonly signal: string }
  | { readonly step: 'kill-sent' }
  | { readonly step: 'exited'; readonly exitCode: number }
  | { readonly step: 'stop-answered' };

/** The runtime writes its line right before it acts; of an exit it has the time at which it took the process's status. */
export type RuntimeSighting = RuntimeStep & { readonly at: Moment };

/** Who destroyed a connection-tracking entry: the kernel itself, or a program, named where it could still be found. */
export type ConntrackDestroyer =
  { readonly kind: 'kernel' } | { readonly kind: 'user-space'; readonly program: string | null };

/** One entry of a node's connection tracking, of one flow of the client's. */
export interface ConntrackEntry {
  readonly id: string;
  readonly protocol: Protocol;
  /** The client's own port: it names the flow. */
  readonly clientPort: number;
  /** Where the entry sends the flow's packets: the answer's source. */
  readonly backend: { readonly address: string; readonly port: number };
  /** Whether an answer ever came back through it. */
  readonly answered: boolean;
  readonly created: Measured<Moment>;
  /** Null while the entry lives. */
  readonly destroyed: { readonly at: Measured<Moment>; readonly by: ConntrackDestroyer } | null;
}

/**
 * A change of the node's rules after which they lead to the pod, or no longer do, of one protocol. Told by a monitor,
 * so `seenNs` is no earlier than the change.
 */
export interface RuleChange {
  readonly change: 'pod-reachable' | 'pod-unreachable';
  readonly protocol: Protocol;
  readonly seenNs: bigint;
}

/**
 * What the node's kube-proxy counted of its own work between two readings: one before flows are opened, one when all else
 * was collected. It counts for all Services, so the work for trials beside this one is in it.
 */
export interface ProxyWork {
  /** Between the two readings. */
  readonly seconds: number;
  /** How often it wrote its rules, and for how long in all. */
  readonly syncs: { readonly count: number; readonly totalMs: number };
  /** Entries that it deleted from connection tracking; null where its version does not count them (before v1.33). */
  readonly entriesDeleted: number | null;
}

/** Where a packet came from, as its first sighting on the node shows. */
export type PacketSender =
  /** The pod's kernel: it came in on the pod's own interface, from the pod's address. */
  | 'pod'
  /** The node itself: it left without having come in. */
  | 'node'
  | 'client'
  /** Neither of them: a router, or another pod. */
  | 'elsewhere';

/** A packet that ends a flow or tells of its end, or an answer on it. */
export interface PacketSighting {
  readonly kind: 'fin' | 'rst' | 'icmp-unreachable' | 'answer';
  readonly protocol: Protocol;
  /** The client's own port: it names the flow. */
  readonly clientPort: number;
  /** Whether it went to the client, or came from it. */
  readonly direction: 'to-client' | 'from-client';
  /** Null for an answer, whose sender is not looked for. */
  readonly sender: PacketSender | null;
  /** When the node's kernel saw it where client and node meet. */
  readonly at: Moment;
}

/** What observing cost on the node, in milliseconds of CPU time by program. */
export type ObserverCosts = Readonly<Record<string, number>>;

/** What the observers of one trial saw, on the client's monotonic clock. */
export interface RawEvidence {
  /** The address of the pod that the flows were opened to. */
  readonly podAddress: string;
  readonly commits: Measured<readonly Commit[]>;
  /** Of the pod's container, in the order in which the runtime told of it. */
  readonly runtime: Measured<readonly RuntimeSighting[]>;
  readonly conntrack: Measured<readonly ConntrackEntry[]>;
  readonly rules: Measured<readonly RuleChange[]>;
  readonly kubeProxy: Measured<ProxyWork>;
  readonly packets: Measured<readonly PacketSighting[]>;
  readonly costs: Measured<ObserverCosts>;
}

/** Where a workload's flows meet the data plane. */
export interface EvidenceSite {
  readonly namespace: string;
  readonly pod: string;
  readonly podAddress: string;
  /** The runtime's identifier of the pod's container; null where the cluster does not tell it. */
  readonly containerId: string | null;
  /** The node that the flows are dialled at, which runs the pod. */
  readonly node: string;
  readonly endpoint: Endpoint;
}

/** Observers at work. Disposing stops them and removes what they kept. */
export interface EvidenceRecording extends AsyncDisposable {
  /**
   * Stops the observers and reads what they saw. Never rejects for want of a right or a tool: that is not measured, with
   * its reason.
   * @param clientPorts the flows' own ports, in any order
   */
  finish(clientPorts: ReadonlySet<number>, signal: AbortSignal): Promise<RawEvidence>;
  /** Copies what was captured into a folder, which is made; called after `finish`. */
  keep(folder: string): Promise<void>;
}

/** Starts observers of the data plane and of the API server's writes. */
export interface EvidenceRecorder {
  record(site: EvidenceSite, kinds: ReadonlySet<EvidenceKind>, signal: AbortSignal): Promise<EvidenceRecording>;
}
