import { randomBytes } from 'node:crypto';

/** A run's name: when it began, in UTC, and eight hexadecimal digits; it sorts by time and is a valid folder name. */
export function newRunId(matrix: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return `${stamp}-${matrix.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${randomBytes(4).toString('hex')}`;
}
