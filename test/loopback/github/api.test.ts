import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Api, type ApiTimings } from '../../../src/github/api.ts';
import { patient, quickTimings } from '../../fixtures/github/client.ts';
import { problem } from '../../fixtures/github/reply.ts';
import { FakeGitHub, person } from '../../fixtures/github/server.ts';

let github: FakeGitHub;
beforeEach(async () => {
  github = await FakeGitHub.start();
});
afterEach(async () => {
  await github[Symbol.asyncDispose]();
  expect(github.faults).toEqual([]);
});

const retries: string[] = [];
const apiOf = (timings: Partial<ApiTimings> = {}, token = 'ghs_workflow') => {
  retries.length = 0;
  const onRetry = (what: string) => retries.push(what);
  return new Api({
    token,
    apiUrl: github.url,
    owner: 'octocat',
    repo: 'hello',
    timings: { ...quickTimings, ...timings },
    onRetry,
  });
};
const list = {
  route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  parameters: { issue_number: 12 },
  schema: z.array(z.object({ id: z.number() })),
};
const read = (api: Api, signal = patient()) => api.call({ ...list, repeatable: true }, signal);
const create = (api: Api) =>
  api.call(
    {
      route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: 12, body: 'words' },
      schema: z.object({ id: z.number() }),
      repeatable: false,
    },
    patient(),
  );
const answer = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  ({ kind: 'answer', reply: problem(status, message, headers) }) as const;

test.each([
  [401, 'Bad credentials', 'unauthenticated'],
  [403, 'Resource not accessible by integration', 'denied'],
  [404, 'Not Found', 'not-found'],
  [409, 'Git Repository is empty.', 'conflict'],
  [410, 'Issues are disabled for this repo', 'not-found'],
  [422, 'Validation Failed', 'invalid'],
  [451, 'Repository access blocked', 'denied'],
])('HTTP %i "%s" is `%s`, and asked once', async (status, message, expected) => {
  github.upset('issues/list-comments', answer(status, message));
  expect(await read(apiOf())).toEqual({ status: expected, reason: `HTTP ${status}: ${message}` });
  expect(github.requests).toHaveLength(1);
});

test('a passing failure of the server is waited out, with growing pauses', async () => {
  const bad = answer(502, 'Bad Gateway');
  github.upset('issues/list-comments', bad, bad, bad);
  expect(await read(apiOf({ firstPauseMs: 40 }))).toEqual({ status: 'ok', value: [] });
  const times = github.requests.map(({ atMs }) => atMs);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(pauses).toHaveLength(3);
  for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThan(39 * 2 ** index);
  expect(retries).toHaveLength(3);
});

test('a failure that stays is `unavailable` after the last attempt', async () => {
  github.upset('issues/list-comments', ...Array.from({ length: 9 }, () => answer(500, 'Server Error')));
  expect(await read(apiOf())).toEqual({ status: 'unavailable', reason: 'HTTP 500: Server Error' });
  expect(github.requests).toHaveLength(1 + quickTimings.retries);
});

test.each([
  ['429', answer(429, 'Too Many Requests', { 'retry-after': '1' })],
  [
    'a secondary limit, which is a 403',
    answer(403, 'You have exceeded a secondary rate limit', { 'retry-after': '1' }),
  ],
])('%s is waited out as long as Retry-After says, a creation too', async (_what, mishap) => {
  github.upset('issues/create-comment', mishap);
  expect(await create(apiOf())).toMatchObject({ status: 'ok' });
  const [first, second] = github.requests.map(({ atMs }) => atMs);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(990);
  expect(github.comments.stored).toHaveLength(1);
});

test('a used-up quota is waited for until its window ends', async () => {
  const reset = String(Math.ceil(Date.now() / 1000) + 1);
  const quota = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  github.upset('issues/list-comments', answer(403, 'API rate limit exceeded', quota));
  expect(await read(apiOf())).toMatchObject({ status: 'ok' });
  expect(Date.now()).toBeGreaterThanOrEqual(Number(reset) * 1000);
});

test('a wait beyond what the client takes ends at once as `rate-limited`', async () => {
  github.upset('issues/list-comments', answer(429, 'Too Many Requests', { 'retry-after': '3600' }));
  expect(await read(apiOf())).toEqual({ status: 'rate-limited', reason: 'HTTP 429: Too Many Requests' });
  expect(github.requests).toHaveLength(1);
});

test('a creation with an unclear answer is not repeated by itself', async () => {
  github.upset('issues/create-comment', { kind: 'answer-lost', reply: problem(502, 'Bad Gateway') });
  expect(await create(apiOf())).toMatchObject({ status: 'unavailable' });
  expect(github.comments.stored).toHaveLength(1);
});

test('a slow answer is given up and asked for again', async () => {
  github.upset('issues/list-comments', { kind: 'slow', delayMs: 600 });
  expect(await read(apiOf({ requestTimeoutMs: 200 }))).toMatchObject({ status: 'ok' });
  expect(retries).toEqual([expect.stringContaining('no complete answer within 200 ms')]);
});

test('a body that breaks off is no empty list', async () => {
  github.comments.add(12, person, 'words');
  github.upset('issues/list-comments', { kind: 'truncated' });
  expect(await read(apiOf())).toMatchObject({ status: 'ok', value: [{}] });
  expect(retries).toEqual([expect.stringContaining('unreadable body')]);
});

test('a server that is not there is `unavailable`, with the system’s reason', async () => {
  const gone = await FakeGitHub.start();
  const apiUrl = gone.url;
  await gone[Symbol.asyncDispose]();
  const api = new Api({ token: 'x', apiUrl, owner: 'o', repo: 'r', timings: quickTimings });
  expect(await read(api)).toMatchObject({
    status: 'unavailable',
    reason: expect.stringContaining('ECONNREFUSED') as string,
  });
});

test('an aborted signal ends a request, and a pause, with its own reason', async () => {
  const stop = new Error('the job was cancelled');
  const during = new AbortController();
  github.upset('issues/list-comments', { kind: 'slow', delayMs: 1500 });
  const request = read(apiOf(), during.signal);
  await delay(100);
  during.abort(stop);
  await expect(request).rejects.toBe(stop);

  const between = new AbortController();
  github.upset('issues/list-comments', answer(429, 'Too Many Requests', { 'retry-after': '4' }));
  const started = performance.now();
  const waiting = read(apiOf(), between.signal);
  await delay(100);
  between.abort(stop);
  await expect(waiting).rejects.toBe(stop);
  expect(performance.now() - started).toBeLessThan(3000);
});

test('an aborted signal ends a list between its pages', async () => {
  for (let index = 0; index < 250; index++) github.comments.add(12, person, `talk ${index}`);
  const controller = new AbortController();
  const itemsOf = (page: readonly { id: number }[]) => {
    controller.abort(new Error('enough'));
    return page;
  };
  await expect(apiOf().pages(list, itemsOf, controller.signal)).rejects.toThrow('enough');
  expect(github.requests).toHaveLength(1);
});

test('all pages are read, and each item once', async () => {
  for (let index = 0; index < 250; index++) github.comments.add(12, person, `talk ${index}`);
  const result = await apiOf().pages(list, (page) => page, patient());
  expect(result.status === 'ok' ? result.value.map(({ id }) => id) : result).toEqual(
    github.comments.stored.map(({ id }) => id),
  );
  expect(github.requests.map(({ query }) => query.get('page'))).toEqual(['1', '2', '3']);
});

test('one failed page fails the list', async () => {
  for (let index = 0; index < 150; index++) github.comments.add(12, person, `talk ${index}`);
  const bad = answer(500, 'Server Error');
  github.upset('issues/list-comments', { kind: 'slow', delayMs: 0 }, bad, bad, bad, bad);
  expect(await apiOf().pages(list, (page) => page, patient())).toMatchObject({ status: 'unavailable' });
});

test('a moved repository is told, and not followed with another method', async () => {
  const moved = { status: 301, headers: { location: `${github.url}/repositories/42` } };
  github.upset('issues/create-comment', { kind: 'answer', reply: moved });
  expect(await create(apiOf())).toMatchObject({
    status: 'not-found',
    reason: expect.stringContaining('moved') as string,
  });
  expect(github.faults.splice(0)).toEqual([expect.stringContaining('HTTP 301 is not described')]);
});

test('a reason is one line that starts no workflow command, whatever the server said', async () => {
  const message = '::set-output name=x::y\n::error::owned\u001B[2J\u2028<b>\u202Ebidi';
  github.upset('issues/list-comments', answer(422, message));
  const result = await read(apiOf());
  expect(result).toEqual({ status: 'invalid', reason: 'HTTP 422: ::set-output name=x::y ::error::owned [2J <b> bidi' });
});

test('each request names the API version and carries the token to GitHub only', async () => {
  await read(apiOf());
  expect(github.requests[0]?.headers).toMatchObject({
    authorization: 'token ghs_workflow',
    'x-github-api-version': '2022-11-28',
    'user-agent': expect.stringMatching(/^drainwatch-action /) as string,
  });
});
