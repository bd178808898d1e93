/** The longest line in bytes, its newline counted (PROTOCOL.md, Wire). */
export const maxLineBytes = 512;

export interface Ping {
  readonly kind: 'ping';
  readonly sequence: number;
}

const maxSequence = 0xffff_ffff;

/** The message of one whole line as a client sends it, newline included; null for a line that has to be ignored. */
export function parsePing(line: string): Ping | null {
  const digits = /^ping (0|[1-9]\d{0,9})\n$/.exec(line)?.[1];
  if (digits === undefined) return null;
  const sequence = Number(digits);
  return sequence <= maxSequence ? { kind: 'ping', sequence } : null;
}

export const formatPong = (sequence: number, monotonicNs: bigint, identity: string): string =>
  `pong ${sequence} ${monotonicNs} ${identity}\n`;

export const formatBye = (monotonicNs: bigint, identity: string): string => `bye ${monotonicNs} ${identity}\n`;
