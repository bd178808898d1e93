/**
 * Why the API did not do what it was asked, by what its caller can do about it.
 *
 * `denied`: the token may not (a fork's pull request, a missing `permissions:` entry); the work itself can go on.
 * `unauthenticated`: the token is wrong or expired. `not-found`: absent, or hidden from this token (GitHub answers 404
 * for both). `conflict`: something else holds the name or moved the ref. `invalid`: GitHub, or a limit known here,
 * refuses the content. `rate-limited`: the wait is longer than this client is willing to take. `unavailable`: no
 * usable answer after all retries; whether a write took effect is then unknown.
 */
export type FailureStatus =
  'denied' | 'unauthenticated' | 'not-found' | 'conflict' | 'invalid' | 'rate-limited' | 'unavailable';

export interface ApiFailure {
  readonly status: FailureStatus;
  /** One line without control characters, safe in a log; it may hold text that others wrote. */
  readonly reason: string;
}

export interface Done<T> {
  readonly status: 'ok';
  readonly value: T;
}

export type ApiResult<T> = Done<T> | ApiFailure;

export const done = <T>(value: T): Done<T> => ({ status: 'ok', value });
export const failed = (status: FailureStatus, reason: string): ApiFailure => ({ status, reason: oneLine(reason) });

/** Longest reason in UTF-16 units: some servers answer with a page of HTML. */
const longestReason = 500;

/**
 * Control, format and separator characters become spaces, so that a line of a log can't be forged; and what the runner
 * takes for a command is broken up: `::` at a line's start, after blanks too, and `##[` anywhere in it.
 */
export function oneLine(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replace(/^::/, ': :')
    .replaceAll('##[', '## [');
  return line.length <= longestReason ? line : `${line.slice(0, longestReason)} …`;
}

/** A text that others chose, marked off within a reason. */
export const quoted = (text: string): string => `"${oneLine(text)}"`;
