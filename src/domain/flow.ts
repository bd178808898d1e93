import type { Detection, FlowCause } from './flow-cause.ts';
import type { TimelinePoint } from './time.ts';

export type Protocol = 'tcp' | 'udp';

/** How a flow was cut. `rehomed`: another pod answered in place of the one that the flow was opened to. */
export type Severance = 'rst' | 'unannounced-fin' | 'write-error' | 'icmp-unreachable' | 'silence' | 'rehomed';

/** A closed set; its names are those of the reference, so both data sets compare. */
export type FlowOutcome =
  | { readonly kind: 'drained-clean-close'; readonly at: TimelinePoint }
  | { readonly kind: 'severed'; readonly at: TimelinePoint; readonly by: Severance }
  | { readonly kind: 'read-timeout'; readonly at: TimelinePoint }
  | { readonly kind: 'survived-observation-window' }
  | { readonly kind: 'not-measured'; readonly reason: string };

export type OutcomeKind = FlowOutcome['kind'];

/** A judged flow, as a report holds it. */
export interface Flow {
  readonly id: string;
  readonly protocol: Protocol;
  /** Pod and process instance that answered first; null when none did. */
  readonly openedTo: string | null;
  readonly outcome: FlowOutcome;
  /** Another pod's first answer on this flow, also when the flow had ended before in another way. */
  readonly rehomed: { readonly to: string; readonly at: TimelinePoint } | null;
  readonly sent: number;
  readonly answered: number;
  /** Sequence of the last answer from the pod that the flow was opened to, before another pod took its place. */
  readonly lastSequence: number | null;
  /** The operating system's error code behind the outcome, as ECONNRESET; null when there was none. */
  readonly errorCode: string | null;
  /** Why it ended; null where nothing cut it off, and where no evidence was collected. */
  readonly cause: FlowCause | null;
  /** Packets that told the client of its end and of its move, as far as they were captured. */
  readonly detections: readonly Detection[];
}

/** An answer of the workload, as the client received it. Monotonic nanoseconds of the client's clock. */
export interface Answer {
  readonly pod: string;
  readonly sequence: number;
  readonly sentNs: bigint;
  readonly receivedNs: bigint;
}

/** The first fact that ended a flow, if one did; the judge names it. */
export type FlowEnd =
  | { readonly kind: 'fin'; readonly atNs: bigint }
  | { readonly kind: 'error'; readonly atNs: bigint; readonly code: string; readonly syscall: string }
  /** Nothing answered for the time-out; `sinceNs` is when the first unanswered message was sent. */
  | { readonly kind: 'no-answer'; readonly atNs: bigint; readonly sinceNs: bigint };

/** What a client observed of one flow: facts only. */
export interface FlowRecord {
  readonly id: string;
  readonly protocol: Protocol;
  /** The client's own port, by which other observers know the flow; null when it was never bound. */
  readonly localPort: number | null;
  readonly firstAnswer: Answer | null;
  /** Last answer of the pod that answered first, to a ping that left before the one that `foreignAnswer` answers. */
  readonly lastAnswer: Answer | null;
  /** When the first message left that the flow's own pod left unanswered, as it did all later ones; null for none. */
  readonly unservedSinceNs: bigint | null;
  /** First answer of any other pod. */
  readonly foreignAnswer: Answer | null;
  /** When the workload announced an orderly close. */
  readonly announcedNs: bigint | null;
  /** The first end since the last own answer; once another pod answered, own answers take no end back. */
  readonly end: FlowEnd | null;
  readonly sent: number;
  readonly answered: number;
  readonly dialError: string | null;
}
