import { setTimeout as delay } from 'node:timers/promises';
import { getOctokit } from '@actions/github';
import pRetry from 'p-retry';
import { z } from 'zod';
import { describeError } from '../domain/errors.ts';
import { judgeFailure, type JudgedFailure } from './api-failure.ts';
import { done, failed, type ApiResult } from './api-result.ts';

/** One request. The repository is filled in where the route names one. */
export interface ApiCall<T> {
  /** As GitHub documents it: `GET /repos/{owner}/{repo}/issues/{issue_number}/comments`. */
  readonly route: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly schema: z.ZodType<T>;
  /**
   * Asking twice does no more than asking once, so that an unclear answer may be followed by another request.
   * A creation is not: after an unclear answer its caller must look first.
   */
  readonly repeatable: boolean;
}

export interface ApiTimings {
  /** A request that takes longer, its body included, is given up and counts as unanswered. Milliseconds. */
  readonly requestTimeoutMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** The first pause between attempts; it doubles, with jitter. Milliseconds. */
  readonly firstPauseMs: number;
  /** A longer wait that GitHub asks for is not taken. Milliseconds. */
  readonly longestWaitMs: number;
}

export const defaultTimings: ApiTimings = {
  requestTimeoutMs: 30_000,
  retries: 4,
  firstPauseMs: 1000,
  longestWaitMs: 60_000,
};

export interface ApiOptions {
  readonly token: string;
  /** Without a trailing slash, as GITHUB_API_URL: `https://api.github.com`. */
  readonly apiUrl: string;
  readonly owner: string;
  readonly repo: string;
  readonly timings?: Partial<ApiTimings>;
  /** Told of each failed attempt that is followed by another. */
  readonly onRetry?: (what: string) => void;
}

interface Answer<T> {
  readonly value: T;
  /** The Link header says that there is a next page. */
  readonly more: boolean;
  readonly location: string | undefined;
}

/** No list that is read here comes near this many pages; a longer one is refused, never cut. */
const mostPages = 100;
const pageSize = 100;

/** GitHub's REST API for one repository: parsed answers, failures as values, retries, time limits, all pages. */
export class Api {
  readonly #octokit: ReturnType<typeof getOctokit>;
  readonly #options: ApiOptions;
  readonly #timings: ApiTimings;

  constructor(options: ApiOptions) {
    this.#octokit = getOctokit(options.token, { baseUrl: options.apiUrl, userAgent: 'drainwatch-action' });
    this.#options = options;
    this.#timings = { ...defaultTimings, ...options.timings };
  }

  /** @throws the signal's reason when it is aborted; nothing else */
  async call<T>(call: ApiCall<T>, signal: AbortSignal): Promise<ApiResult<T>> {
    const result = await this.#exchange(call, signal);
    return result.status === 'ok' ? done(result.value.value) : result;
  }

  /** Where a redirect leads, without following it. @throws the signal's reason when it is aborted */
  async redirect(call: Omit<ApiCall<unknown>, 'schema'>, signal: AbortSignal): Promise<ApiResult<string>> {
    const result = await this.#exchange({ ...call, schema: z.unknown(), redirects: true }, signal);
    if (result.status !== 'ok') return result;
    const { location } = result.value;
    return location === undefined ? failed('unavailable', `${call.route}: the answer is no redirect`) : done(location);
  }

  /**
   * All pages of a list. octokit's paginate is not used: it drops the request's signal, takes a 409 for the end of the
   * list and an unreadable page for an empty one, so that a comment could be missed and written twice.
   *
   * @param itemsOf a page's items
   * @throws the signal's reason when it is aborted
   */
  async pages<Page, Item>(
    call: Omit<ApiCall<Page>, 'repeatable'>,
    itemsOf: (page: Page) => readonly Item[],
    signal: AbortSignal,
  ): Promise<ApiResult<readonly Item[]>> {
    const items: Item[] = [];
    for (let page = 1; page <= mostPages; page++) {
      const parameters = { ...call.parameters, per_page: pageSize, page };
      const result = await this.#exchange({ ...call, parameters, repeatable: true }, signal);
      if (result.status !== 'ok') return result;
      items.push(...itemsOf(result.value.value));
      if (!result.value.more) return done(items);
    }
    return failed('unavailable', `${call.route} has more than ${mostPages} pages`);
  }

  async #exchange<T>(
    call: ApiCall<T> & { readonly redirects?: true },
    signal: AbortSignal,
  ): Promise<ApiResult<Answer<T>>> {
    const { retries, firstPauseMs, longestWaitMs } = this.#timings;
    try {
      const answer = await pRetry(() => this.#attempt(call, signal), {
        retries,
        minTimeout: firstPauseMs,
        maxTimeout: longestWaitMs,
        randomize: true,
        signal,
        shouldRetry: ({ error }) => error instanceof AttemptError && mayRepeat(error.judged, call, longestWaitMs),
        onFailedAttempt: async ({ error, retriesLeft }) => {
          if (retriesLeft === 0 || !(error instanceof AttemptError)) return;
          if (!mayRepeat(error.judged, call, longestWaitMs)) return;
          this.#options.onRetry?.(`${call.route}: ${error.judged.failure.reason}; trying again`);
          // the pause that follows this one is the jitter that keeps waiting clients apart
          await delay(error.judged.waitMs ?? 0, undefined, { signal });
        },
      });
      return done(answer);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AttemptError) return error.judged.failure;
      throw error;
    }
  }

  async #attempt<T>(call: ApiCall<T> & { readonly redirects?: true }, signal: AbortSignal): Promise<Answer<T>> {
    const { requestTimeoutMs } = this.#timings;
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    const overdue = () => unclear(`${call.route}: no complete answer within ${requestTimeoutMs} ms`);
    const { owner, repo } = this.#options;
    let response: {
      readonly status: number;
      readonly headers: Readonly<Record<string, unknown>>;
      readonly data: unknown;
    };
    try {
      response = await this.#octokit.request(call.route, {
        ...(call.route.includes('{owner}/{repo}') ? { owner, repo } : {}),
        headers: { 'x-github-api-version': '2022-11-28' },
        ...call.parameters,
        // octokit warns on the console of what GitHub calls deprecated; the console is the Action's log
        request: { signal: AbortSignal.any([signal, timeout]), redirect: 'manual', log: { warn: () => undefined } },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new AttemptError(timeout.aborted ? overdue() : judgeFailure(error, Date.now()), error);
    }
    signal.throwIfAborted();
    // octokit gives '' for a body that broke off or was given up, and the raw text for one that is no JSON
    if (timeout.aborted) throw new AttemptError(overdue());
    if (response.status >= 300 && call.redirects !== true) throw new AttemptError(moved(call.route, response.status));
    const parsed = call.schema.safeParse(response.data);
    if (!parsed.success) {
      const what = describeError(z.prettifyError(parsed.error));
      throw new AttemptError(unclear(`${call.route}: HTTP ${response.status} with an unreadable body: ${what}`));
    }
    const { link, location } = response.headers;
    return {
      value: parsed.data,
      more: typeof link === 'string' && /;\s*rel="?next"?/.test(link),
      location: typeof location === 'string' ? location : undefined,
    };
  }
}

const mayRepeat = (
  { transient, untouched, waitMs }: JudgedFailure,
  call: { readonly repeatable: boolean },
  mostMs: number,
) => transient && (call.repeatable || untouched) && (waitMs ?? 0) <= mostMs;

const unclear = (reason: string): JudgedFailure => ({
  failure: failed('unavailable', reason),
  transient: true,
  untouched: false,
});

/**
 * A renamed repository answers so. fetch would follow, and turn a POST into a GET (Fetch standard, HTTP-redirect fetch).
 */
const moved = (route: string, status: number): JudgedFailure => ({
  failure: failed('not-found', `${route}: HTTP ${status}: the repository has moved`),
  transient: false,
  untouched: true,
});

/** Carries a judged failure through p-retry. */
class AttemptError extends Error {
  readonly judged: JudgedFailure;

  constructor(judged: JudgedFailure, cause?: unknown) {
    super(judged.failure.reason, cause === undefined ? {} : { cause });
    this.judged = judged;
  }
}

/**
 * A creation that leaves one thing behind however often its answer is lost: after an unclear answer it is looked for.
 *
 * @param find what an earlier attempt created, or null
 */
export async function createOnce<T>(
  create: () => Promise<ApiResult<T>>,
  find: () => Promise<ApiResult<T | null>>,
  attempts = 3,
): Promise<ApiResult<T>> {
  let result = await create();
  for (let attempt = 1; attempt < attempts && result.status === 'unavailable'; attempt++) {
    const found = await find();
    if (found.status !== 'ok') return result;
    if (found.value !== null) return done(found.value);
    result = await create();
  }
  return result;
}
