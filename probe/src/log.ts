import type { ClockIdentity } from './clock.ts';
import { writeWhole } from './write-whole.ts';

type NoFields = Readonly<Record<string, never>>;

/** Each event's own fields (PROTOCOL.md, Log). */
export interface LogFields {
  readonly started: {
    readonly protocol: 1;
    readonly pod: string;
    readonly behavior: string;
    readonly drainSeconds: number;
    readonly tcpPort: number;
    readonly udpPort: number;
    readonly httpPort: number;
    readonly timeNamespaceOffsetNs: string | null;
    readonly pid: number;
  };
  readonly 'sigterm-received': NoFields;
  readonly 'readiness-withdrawn': NoFields;
  readonly 'close-announced': { readonly connections: number };
  readonly exiting: { readonly exitCode: number; readonly ignoredLines: number };
}

/** Writes one line, synchronously. `atNs` is CLOCK_MONOTONIC when the event happened. */
export type Log = <E extends keyof LogFields>(event: E, atNs: bigint, fields: LogFields[E]) => void;

export const createLog =
  (descriptor: number, identity: string, { bootId }: ClockIdentity): Log =>
  (event, atNs, fields) => {
    writeWhole(descriptor, `${JSON.stringify({ event, monotonicNs: String(atNs), bootId, identity, ...fields })}\n`);
  };
