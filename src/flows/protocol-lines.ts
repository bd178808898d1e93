/** The client's side of the wire (probe/PROTOCOL.md, version 1). */

/** A line's greatest length in bytes, its `\n` counted. */
export const maxLineBytes = 512;

export interface Pong {
  readonly kind: 'pong';
  readonly sequence: number;
  /** The probe's CLOCK_MONOTONIC when it wrote the line. */
  readonly monotonicNs: bigint;
  /** Pod and process instance. */
  readonly identity: string;
}

/** Announces that a FIN follows; TCP only. */
export interface Bye {
  readonly kind: 'bye';
  readonly monotonicNs: bigint;
  readonly identity: string;
}

const decimal = '(0|[1-9][0-9]*)';
const identity = '([!-.0-~]{1,253}/[0-9a-f]{8})';
const pongLine = new RegExp(`^pong ${decimal} ${decimal} ${identity}\n$`);
const byeLine = new RegExp(`^bye ${decimal} ${identity}\n$`);
const maxSequence = 4_294_967_295;
const maxMonotonicNs = 9_223_372_036_854_775_807n;

export const encodePing = (sequence: number): Buffer => Buffer.from(`ping ${sequence}\n`, 'latin1');

/** Reads a line as it came, with its `\n`; null for what the protocol tells a receiver to ignore. */
export function parseAnswer(line: string): Pong | Bye | null {
  return parsePong(line) ?? parseBye(line);
}

export function parsePong(line: string): Pong | null {
  const [, sequenceText, clockText, sender] = pongLine.exec(line) ?? [];
  if (sequenceText === undefined || clockText === undefined || sender === undefined) return null;
  const sequence = Number(sequenceText);
  const monotonicNs = BigInt(clockText);
  if (sequence > maxSequence || monotonicNs > maxMonotonicNs) return null;
  return { kind: 'pong', sequence, monotonicNs, identity: sender };
}

function parseBye(line: string): Bye | null {
  const [, clockText, sender] = byeLine.exec(line) ?? [];
  if (clockText === undefined || sender === undefined) return null;
  const monotonicNs = BigInt(clockText);
  return monotonicNs > maxMonotonicNs ? null : { kind: 'bye', monotonicNs, identity: sender };
}
