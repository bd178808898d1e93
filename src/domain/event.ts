import type { ClockReading, TimelinePoint } from './time.ts';

/** Who observed an event: it decides the clock and what the time can mean. */
export type EventSource = 'orchestrator' | 'client' | 'kubernetes' | 'probe';

/** Typed payloads by event name: nothing downstream parses prose. */
export interface EventPayloads {
  /** The moment before the request that ends the pod is sent: the timeline's zero. */
  'trigger-issued': { readonly trigger: string; readonly pod: string };
  /** The API server, or the kernel for a plain process, took the request. */
  'trigger-accepted': { readonly trigger: string };
  /** The first statement of the probe's SIGTERM handler. */
  'sigterm-received': { readonly pod: string };
  /** The probe's `/readyz` answers 503 from here on. */
  'readiness-withdrawn': { readonly pod: string };
  /** The probe wrote `bye` to its open connections, before closing them. */
  'close-announced': { readonly pod: string; readonly connections: number };
  'probe-exiting': { readonly pod: string; readonly exitCode: number };
  /** A plain process got SIGKILL from this tool, as the kubelet would do after the grace period. */
  'sigkill-sent': { readonly pod: string };
  /** A plain process ended, as its parent was told. */
  'process-exited': { readonly pod: string; readonly exitCode: number; readonly signal: number | null };
  /** The pod object carries a deletion timestamp. */
  'pod-terminating': { readonly pod: string };
  'pod-ready': { readonly pod: string };
  'pod-not-ready': { readonly pod: string };
  'container-terminated': {
    readonly pod: string;
    readonly exitCode: number;
    readonly signal: number | null;
    readonly reason: string | null;
  };
  'pod-deleted': { readonly pod: string };
  'endpoint-ready': { readonly pod: string };
  /** The EndpointSlice says ready=false: no new connections should go to the pod. */
  'endpoint-not-ready': {
    readonly pod: string;
    readonly serving: boolean | null;
    readonly terminating: boolean | null;
  };
  'endpoint-removed': { readonly pod: string };
  'flow-ended': { readonly flow: string };
  /** Another pod answered a flow that had been severed, or severed it by answering. */
  'flow-rehomed': { readonly flow: string; readonly pod: string };
  'watch-interrupted': { readonly resource: string; readonly reason: string };
  'watch-resumed': { readonly resource: string; readonly gapMs: number };
  'observation-closed': { readonly reason: 'all-ended' | 'window-elapsed' };
}

export type EventName = keyof EventPayloads;

/** Whether an event was stamped where it happened, or when word of it arrived. */
export type Stamp = 'at-occurrence' | 'at-receipt';

/** An event as an observer appends it: a raw reading of the observer's clock. */
export type RawEvent = {
  readonly [N in EventName]: {
    readonly name: N;
    readonly source: EventSource;
    readonly reading: ClockReading;
    readonly stamp: Stamp;
    readonly payload: EventPayloads[N];
  };
}[EventName];

/** When the API server wrote what made an event true, and for whom. */
export interface Committed {
  readonly at: TimelinePoint;
  /** A user name of Kubernetes. */
  readonly by: string;
}

/** An event on the trial's timeline. */
export type TimelineEvent = {
  readonly [N in EventName]: {
    readonly name: N;
    readonly source: EventSource;
    readonly at: TimelinePoint;
    readonly payload: EventPayloads[N];
    /** Beside the time of receipt, where the API server's audit log was read. */
    readonly committed?: Committed;
  };
}[EventName];

export type EventOf<N extends EventName> = Extract<TimelineEvent, { name: N }>;

/** The first event of that name, of that pod where one is given. */
export function firstEvent<N extends EventName>(
  timeline: readonly TimelineEvent[],
  name: N,
  pod?: string,
): EventOf<N> | undefined {
  return timeline.find(
    (event): event is EventOf<N> => event.name === name && (pod === undefined || podOf(event) === pod),
  );
}

export const podOf = (event: TimelineEvent | RawEvent): string | undefined =>
  'pod' in event.payload ? event.payload.pod : undefined;

/** Appends an event. Observers only append: they never judge. */
export type EventSink = (event: RawEvent) => void;
