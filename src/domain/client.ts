import type { FlowRecord } from './flow.ts';
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
 * Bounds of (probe clock - client clock) from request-answer exchanges: an answer was stamped after its request was
 * sent and before it was received (the reasoning of NTP, RFC 5905 section 8).
 */
export interface OffsetBounds {
  readonly lowNs: bigint;
  readonly highNs: bigint;
  readonly exchanges: number;
}

/** All that the client saw. */
export interface ClientObservation {
  readonly flows: readonly FlowRecord[];
  /** Event-loop delay of the client's thread since `mark`: the bound on how late a stamp in it can be. */
  readonly eventLoopDelayMs: DelaySummary;
  /** How late sends left against their schedule, since `mark`. */
  readonly sendLatenessMs: DelaySummary;
  readonly offset: OffsetBounds | null;
  readonly closedNs: bigint;
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
