import type { DelaySummary } from './client.ts';
import type { Protocol } from './flow.ts';
import type { Measured } from './measured.ts';
import type { TimelinePoint } from './time.ts';
import type { Endpoint, ProbeClock } from './workload.ts';

/**
 * Where new connections start and what they are dialled to: the host to the node's address (for a plain process, to
 * loopback); a pod to the Service's cluster address, on the ended pod's node or on another one; the host to the address
 * of a load balancer.
 */
export const connectionPaths = ['host-node', 'same-node-pod', 'cross-node-pod', 'host-load-balancer'] as const;
export type ConnectionPath = (typeof connectionPaths)[number];

/**
 * How an attempt went. Over TCP it is a connect, one ping and its answer; over UDP one datagram from a fresh port and its
 * answer.
 *
 * `refused`: ECONNREFUSED, an RST to the SYN or an ICMP port unreachable. `reset`: the connection was open. `closed`: FIN
 * before the answer. `timed-out`: nothing for the attempt's limit. `unreachable`: an ICMP error, or the client's own
 * kernel, said that there is no way; a UDP socket is told only of what its own kernel finds, and of port unreachable
 * (udp(7)). `other-error` has its code. All but `answered` are failures.
 */
export const attemptOutcomes = [
  'answered',
  'refused',
  'reset',
  'closed',
  'timed-out',
  'unreachable',
  'other-error',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** How often, and how long each may take. */
export interface NewConnectionSpec {
  readonly endpoint: Endpoint;
  readonly path: ConnectionPath;
  readonly protocols: readonly Protocol[];
  /** Milliseconds between the starts of two attempts of a protocol, however long the earlier ones take. */
  readonly intervalMs: number;
  /** An attempt without an answer for this long has failed. */
  readonly limitMs: number;
}

/**
 * Attempts in the order of their start, a column a field: bytes, not objects, for there are hundreds a second.
 *
 * `outcome` holds 0 for an attempt that was in flight when the client stopped, else 1 + the index in `attemptOutcomes`;
 * `detail` 0 for nothing, else 1 + the index in `details`.
 */
export interface AttemptColumns {
  readonly startedNs: BigInt64Array;
  readonly endedNs: BigInt64Array;
  readonly outcome: Uint8Array;
  readonly detail: Uint16Array;
  /** Identities that answered (`<pod>/<instance>`), and error codes. */
  readonly details: readonly string[];
}

/** What a client observed of new connections on a path: facts only. Monotonic nanoseconds of `clock`. */
export interface AttemptRecord {
  readonly path: ConnectionPath;
  readonly protocol: Protocol;
  /** Null: the clock of the process that runs the trial. */
  readonly clock: ProbeClock | null;
  readonly attempts: AttemptColumns;
}

/** What is known of one protocol on one path: the attempts, or why there were none. */
export interface NewConnectionRecord {
  readonly path: ConnectionPath;
  readonly protocol: Protocol;
  readonly seen: Measured<AttemptRecord>;
}

/** An attempt that was settled. Times as its record has them, or on the timeline. */
export interface Attempt<Time> {
  readonly started: Time;
  readonly ended: Time;
  readonly outcome: AttemptOutcome;
  /** Who answered (`<pod>/<instance>`), or the error's code. */
  readonly detail: string | null;
}

/** Attempts in a row that went alike. */
export interface AttemptInterval {
  /** The start of the first of them and of the last, in milliseconds after the trigger. */
  readonly fromMs: number;
  readonly toMs: number;
  /** `mixed`: they did not go alike, but changed too often for each change to be kept. */
  readonly outcome: AttemptOutcome | 'mixed';
  /** Who answered, or the code; null for none, and for several. */
  readonly detail: string | null;
  readonly count: number;
}

/** Answers of one process of the workload since the trigger. */
export interface NewConnectionAnswers {
  /** Pod and process instance. */
  readonly identity: string;
  readonly count: number;
  /** Starts of the first and the last attempt that it answered, in milliseconds after the trigger. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * The dead-endpoint window as clients meet it: from the first failed attempt after the trigger to the first answered one
 * after which none failed until the observation closed.
 */
export interface FailureWindow {
  readonly from: TimelinePoint;
  readonly to: TimelinePoint;
  readonly ms: number;
}

/** New connections of one protocol on one path, from the trigger on unless said otherwise. */
export interface NewConnectionSummary {
  readonly attempts: number;
  /** In flight when the observation closed: how they would have gone is not known, and nothing else counts them. */
  readonly unsettled: number;
  readonly before: { readonly attempts: number; readonly failed: number };
  readonly outcomes: Readonly<Partial<Record<AttemptOutcome, number>>>;
  readonly answeredBy: readonly NewConnectionAnswers[];
  /** Null when none failed. */
  readonly firstFailure: TimelinePoint | null;
  readonly lastFailure: TimelinePoint | null;
  /** 0 ms, at both ends the first attempt, when none failed. */
  readonly failureWindow: Measured<FailureWindow>;
  /** All stretches of failing attempts together, each up to the next answered one. */
  readonly failingMs: number;
  /** When the trial's pod was last answered by, and after how many answers since ready=false was observed. */
  readonly lastAnswerOfPod: TimelinePoint | null;
  readonly podAnswersAfterNotReady: Measured<number>;
  /** Between the starts of two attempts in a row: no time of these is finer than that. */
  readonly gapMs: DelaySummary;
  readonly intervals: readonly AttemptInterval[];
}

export interface NewConnectionSeries {
  readonly path: ConnectionPath;
  readonly protocol: Protocol;
  readonly seen: Measured<NewConnectionSummary>;
}

/** Dials until it is finished or disposed of. */
export interface OpenNewConnections extends AsyncDisposable {
  /** Stops, and gives what was seen; the reason when the client died. Never rejects. */
  finish(): Promise<Measured<readonly AttemptRecord[]>>;
}

export interface NewConnectionClient {
  /** Rejects only with the abort reason: without this client a trial still measures its flows. */
  open(spec: NewConnectionSpec, signal: AbortSignal): Promise<OpenNewConnections>;
}

/** A way to the workload besides the one that flows take. */
export interface ServicePath {
  readonly path: Exclude<ConnectionPath, 'host-node'>;
  /** Where it leads; not measured: why nobody can go there. */
  readonly endpoint: Measured<Endpoint>;
  /** Who dials it; absent: the client that dials from the host. */
  readonly client?: NewConnectionClient;
}
