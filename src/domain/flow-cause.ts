import type { ConntrackDestroyer, PacketSender, PacketSighting } from './evidence.ts';
import type { TimelinePoint } from './time.ts';

/** Why a flow ended, as far as evidence decides. */
export const causes = [
  /** The pod's program closed the socket, or ended and left that to its kernel. */
  'pod-socket-closed',
  /** The pod's kernel closed the socket of a program that SIGKILL had ended. */
  'sigkill',
  /** The node's connection tracking lost the entry, and the next datagram made one that leads to another pod. */
  'conntrack-cleared-rehomed',
  /** The node itself refused. */
  'node-reject',
  /** The entry still led to the pod's address when nobody was there. */
  'stale-entry-black-hole',
  'unknown',
] as const;
export type Cause = (typeof causes)[number];

/** One thing that was seen. Times in milliseconds after the trigger, at the latest that the evidence allows. */
export type CauseEvidence =
  | {
      readonly kind: 'packet';
      readonly packet: PacketSighting['kind'];
      readonly sender: PacketSender;
      readonly tMs: number;
    }
  | {
      readonly kind: 'entry-destroyed';
      readonly backend: string;
      readonly by: ConntrackDestroyer;
      /** Null where the kernel told no time. */
      readonly tMs: number | null;
    }
  | { readonly kind: 'entry-created'; readonly backend: string; readonly tMs: number | null }
  /** The entry lived, and led there, when the client was told. */
  | { readonly kind: 'entry-alive'; readonly backend: string }
  | { readonly kind: 'container-killed' }
  /** An ICMP told another flow that it was refused, where this one's datagrams went too. */
  | { readonly kind: 'other-flow-refused'; readonly sender: PacketSender; readonly tMs: number };

/** Observers that contradict each other: shown, and nothing is corrected for it. */
export type Disagreement =
  /** The client told of the end before the packet left the node that brought it. */
  | { readonly kind: 'told-before-packet'; readonly toldMs: number; readonly packetMs: number }
  /** Another pod's answer came before there was an entry that led to it. */
  | { readonly kind: 'answered-before-entry'; readonly answeredMs: number; readonly createdMs: number }
  /** The entry that leads to another pod came up before the one that it replaces was destroyed. */
  | { readonly kind: 'created-before-destroyed'; readonly createdMs: number; readonly destroyedMs: number }
  /** Packets were captured, and none of the kind that the client told of. */
  | { readonly kind: 'no-such-packet'; readonly packet: PacketSighting['kind'] };

export interface FlowCause {
  readonly cause: Cause;
  readonly evidence: readonly CauseEvidence[];
  readonly disagreements: readonly Disagreement[];
}

/** The packet that told the client that a flow had ended or moved, and when the client's program stamped that. */
export interface Detection {
  readonly packet: PacketSighting['kind'];
  /** When the node's kernel saw it, where client and node meet. */
  readonly packetAt: TimelinePoint;
  /** Milliseconds after the trigger. */
  readonly toldMs: number;
}
