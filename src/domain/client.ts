import type { FlowRecord } from './flow.ts';
import type { Measured } from './measured.ts';
import type { Endpoint } from './workload.ts';

/** How many flows, and how often each speaks. */
export interface FlowSpec {
  readonly endpoint: Endpoint;
  readonly tcp: number;
  readonly udp: number;
  readonly tcpHeartbeatMs: number;
  readonly udpIntervalMs: number;
  /** A TCP flow without an answer for this long is a read time-out. */
  readonly tcpReadTimeoutMs: number;
  /** A UDP flow without an answer for this long is severed by silence. */
  readonly udpSilenceMs: number;
}

/** The state that preflight asks about. */
export interface FlowStatus {
  readonly dialed: number;
  readonly tcpEstablished: number;
  readonly udpReplying: number;
  /** Distinct identities that answered. */
  readonly answeredBy: readonly string[];
  readonly firstError: string | null;
}

/** A distribution in milliseconds. */
export interface DelaySummary {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * How late a stamp of the client can be, by when it was taken. Window `k` starts `k` times `windowNs` after `startNs`,
 * and all of them together cover the whole observation.
 */
export interface StampDelays {
  readonly startNs: bigint;
  readonly windowNs: bigint;
  /** Each window's greatest delay, in milliseconds. */
  readonly maxMs: readonly number[];
}

/**
 * A ping and its answer: the probe read `probeNs` on its clock after the client's clock showed `sentNs` and before it
 * showed `receivedNs` (the reasoning of NTP, RFC 5905 section 8).
 */
export interface ClockExchange {
  readonly sentNs: bigint;
  readonly probeNs: bigint;
  readonly receivedNs: bigint;
}

/** Exchanges with one process. */
export interface ClockExchanges {
  /** How many there were. */
  readonly count: number;
  /** Those that say most of their time, in the order of time. */
  readonly kept: readonly ClockExchange[];
}

/** What tells whether the generator of the traffic lost some of it: a flow's silence may then be its doing. */
export interface GeneratorFacts {
  /**
   * UDP pings before `mark`, while nothing was being terminated, up to each flow's last answered one; and those of them
   * that nobody answered. The path and the workload may have lost them as well as the generator.
   */
  readonly udpBeforeMark: { readonly sent: number; readonly unanswered: number };
  /** Slots since `mark` that passed without a send, because the client's thread came later than the next slot. */
  readonly skippedSends: number;
  /** Answers that arrived and were dropped since the socket was opened, because the thread did not read it in time; per UDP flow. */
  readonly droppedAnswers: Measured<readonly { readonly flow: string; readonly answers: number }[]>;
  /** Datagrams that the kernel dropped for want of buffer while the flows were open, of all processes of the client's network namespace. */
  readonly udpBufferErrors: Measured<{ readonly receive: number; readonly send: number }>;
}

/** All that the client saw. */
export interface ClientObservation {
  readonly flows: readonly FlowRecord[];
  /** Event-loop delay of the client's thread since `mark`. */
  readonly eventLoopDelayMs: DelaySummary;
  readonly stampDelays: StampDelays;
  /** The niceness that the client's thread ran with, -20 (first) to 19 (last). */
  readonly threadNiceness: number;
  /** How late sends left against their schedule, since `mark`. */
  readonly sendLatenessMs: Measured<DelaySummary>;
  /** Null when nobody answered, and when several processes did, whose clocks may differ. */
  readonly exchanges: ClockExchanges | null;
  readonly generator: GeneratorFacts;
}

/** Open flows, living on a thread of their own. Disposing closes whatever is open. */
export interface OpenFlows extends AsyncDisposable {
  status(): Promise<FlowStatus>;
  /** Starts the accounting of delay and lateness anew: called at the trigger. */
  mark(): void;
  /** Resolves when every flow has ended; never rejects. */
  readonly allEnded: Promise<void>;
  /** Rejects when the thread dies: nothing measured after that would be true. */
  readonly failed: Promise<never>;
  /** Stops and gives what was seen. */
  finish(): Promise<ClientObservation>;
}

export interface FlowClient {
  open(spec: FlowSpec, signal: AbortSignal): Promise<OpenFlows>;
}
