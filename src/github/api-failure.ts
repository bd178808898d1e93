import { z } from 'zod';
import { describeError } from '../domain/errors.ts';
import { failed, type ApiFailure } from './api-result.ts';

/** The part of octokit's RequestError that is read; `response` is absent when no answer came. */
const requestErrorSchema = z.object({
  status: z.number(),
  response: z.object({ headers: z.record(z.string(), z.unknown()), data: z.unknown() }).optional(),
});
const bodySchema = z.object({ message: z.string(), errors: z.array(z.unknown()).optional() });

/** A failure, and whether it may go by itself. */
export interface JudgedFailure {
  readonly failure: ApiFailure;
  readonly transient: boolean;
  /** GitHub surely did not carry the request out, so that even a creation may be asked for again. */
  readonly untouched: boolean;
  /** How long GitHub asks to wait, in milliseconds; undefined when it does not say. */
  readonly waitMs?: number;
}

/** Judges what octokit threw. @param now milliseconds since the epoch, against which a reset time is read */
export function judgeFailure(error: unknown, now: number): JudgedFailure {
  const parsed = requestErrorSchema.safeParse(error);
  const response = parsed.data?.response;
  if (!parsed.success || response === undefined) {
    return { failure: failed('unavailable', describeError(error)), transient: true, untouched: false };
  }
  return judgeAnswer(parsed.data.status, response.headers, messageOf(response.data), now);
}

function judgeAnswer(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  message: string,
  now: number,
): JudgedFailure {
  const reason = `HTTP ${status}: ${message}`;
  if (status === 429 || (status === 403 && isRateLimit(headers, message))) {
    const waitMs = requestedWaitMs(headers, now);
    const failure = failed('rate-limited', reason);
    return { failure, transient: true, untouched: true, ...(waitMs === undefined ? {} : { waitMs }) };
  }
  if (status >= 500) {
    const waitMs = requestedWaitMs(headers, now);
    const failure = failed('unavailable', reason);
    return { failure, transient: true, untouched: false, ...(waitMs === undefined ? {} : { waitMs }) };
  }
  return { failure: failed(statusNames.get(status) ?? 'invalid', reason), transient: false, untouched: true };
}

const statusNames: ReadonlyMap<number, ApiFailure['status']> = new Map([
  [401, 'unauthenticated'],
  [403, 'denied'],
  [404, 'not-found'],
  [409, 'conflict'],
  [410, 'not-found'],
  [451, 'denied'],
]);

/**
 * GitHub answers 403 both for a missing permission and for a rate limit; only the latter is worth waiting for
 * (docs.github.com, "Rate limits for the REST API", exceeding the rate limit).
 */
const isRateLimit = (headers: Readonly<Record<string, unknown>>, message: string): boolean =>
  headers['retry-after'] !== undefined ||
  headers['x-ratelimit-remaining'] === '0' ||
  /rate limit|abuse detection/i.test(message);

/** Retry-After (RFC 9110 section 10.2.3: seconds or a date), else the end of GitHub's window, in epoch seconds. */
export function requestedWaitMs(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const retryAfter = headers['retry-after'];
  if (typeof retryAfter === 'string') {
    if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
    const date = Date.parse(retryAfter);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  const reset = headers['x-ratelimit-reset'];
  if (headers['x-ratelimit-remaining'] === '0' && typeof reset === 'string' && /^\d+$/.test(reset)) {
    return Math.max(0, Number(reset) * 1000 - now);
  }
  return undefined;
}

function messageOf(data: unknown): string {
  const body = bodySchema.safeParse(data).data;
  if (body === undefined) return typeof data === 'string' && data !== '' ? data : 'no message';
  const details = body.errors?.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))) ?? [];
  return [body.message, ...details].join('; ');
}
