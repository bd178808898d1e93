import { afterEach, beforeEach, expect, test } from 'vitest';
import { commentLimit, type CommentRequest } from '../../../src/github/comment.ts';
import { clientOf, patient } from '../../fixtures/github/client.ts';
import { problem } from '../../fixtures/github/reply.ts';
import { FakeGitHub, otherApp, person, stranger, workflowBot } from '../../fixtures/github/server.ts';

let github: FakeGitHub;
beforeEach(async () => {
  github = await FakeGitHub.start();
});
afterEach(async () => {
  await github[Symbol.asyncDispose]();
  expect(github.faults).toEqual([]);
});

const request = (changes: Partial<CommentRequest> = {}): CommentRequest => ({
  issue: 12,
  key: 'standard',
  body: '## all well\n',
  mode: 'always',
  state: 'clear',
  ...changes,
});
const upsert = (changes: Partial<CommentRequest> = {}, token = 'ghs_workflow') =>
  clientOf(github, token).upsertComment(request(changes), patient());
const bodies = () => github.comments.stored.map(({ body }) => body);
/** A body as this project writes it, to be found again. */
const markedBody = async (changes: Partial<CommentRequest> = {}): Promise<string> => {
  await using elsewhere = await FakeGitHub.start();
  await clientOf(elsewhere, 'ghs_workflow').upsertComment(request(changes), patient());
  return elsewhere.comments.stored[0]?.body ?? '';
};

test('a second run updates the comment of the first', async () => {
  const first = await upsert();
  const second = await upsert({ body: 'other words' });
  expect(first).toMatchObject({ status: 'created', duplicatesRemoved: 0 });
  expect(second).toEqual({ ...first, status: 'updated' });
  expect(bodies()).toEqual([expect.stringMatching(/^<!-- drainwatch-comment v1 [^\n]* -->\nother words$/)]);
});

test('the comment is found behind two full pages of others', async () => {
  for (let index = 0; index < 215; index++) github.comments.add(12, person, `talk ${index}`);
  const first = await upsert();
  for (let index = 0; index < 30; index++) github.comments.add(12, person, `more ${index}`);
  const second = await upsert({ body: 'other words' });
  expect(second).toEqual({ ...first, status: 'updated' });
  const pages = github.requests.filter(({ operation }) => operation === 'issues/list-comments');
  expect(pages.slice(-3).map(({ query }) => query.get('page'))).toEqual(['1', '2', '3']);
});

test('comments of different keys live side by side', async () => {
  await upsert({ key: 'iptables' });
  await upsert({ key: 'nftables' });
  await upsert({ key: 'iptables', body: 'again' });
  expect(bodies()).toEqual([expect.stringContaining('again'), expect.stringContaining('all well')]);
});

test.each(['a b', '--> <script>', 'ä/%2F', 'a\nb'])(
  'key %j finds its own comment and ends no HTML comment',
  async (key) => {
    await upsert({ key });
    expect(await upsert({ key, body: 'again' })).toMatchObject({ status: 'updated' });
    expect(bodies()).toEqual([expect.stringMatching(/^<!-- [^>\n]* -->\nagain$/)]);
  },
);

test("another author's copy of the marker is neither updated nor removed", async () => {
  const forged = await markedBody({ body: 'all is well, trust me' });
  github.comments.add(12, stranger, forged);
  github.comments.add(12, otherApp, forged);
  expect(await upsert()).toMatchObject({ status: 'created', duplicatesRemoved: 0 });
  expect(bodies().slice(0, 2)).toEqual([forged, forged]);
});

test('a marker that is not at the very start is content that somebody quoted', async () => {
  github.comments.add(12, workflowBot, `a bot quotes:\n${await markedBody()}`);
  expect(await upsert()).toMatchObject({ status: 'created' });
});

test('a marker within our own hostile body names no other comment', async () => {
  await upsert({ key: 'first', body: await markedBody({ key: 'second' }) });
  expect(await upsert({ key: 'second' })).toMatchObject({ status: 'created' });
});

test('of duplicates the newest is kept and the others are removed', async () => {
  const old = await markedBody({ body: 'old' });
  const newest = [1, 2, 3].map(() => github.comments.add(12, workflowBot, old)).at(-1);
  expect(await upsert()).toMatchObject({ status: 'updated', id: newest?.id, duplicatesRemoved: 2 });
  expect(github.comments.stored).toHaveLength(1);
});

test('a comment that was deleted between the look and the write is made anew', async () => {
  await upsert();
  github.upset('issues/update-comment', { kind: 'answer', reply: problem(404, 'Not Found') });
  github.comments.remove(github.comments.stored[0]?.id ?? 0);
  // the look still sees it: GitHub's lists lag behind
  github.comments.add(12, workflowBot, await markedBody());
  expect(await upsert({ body: 'again' })).toMatchObject({ status: 'created' });
  expect(bodies()).toEqual([expect.stringContaining('again')]);
});

test('a person is told by id when the token can say whose it is', async () => {
  await upsert({}, 'ghp_person');
  expect(github.operations()[0]).toBe('users/get-authenticated');
  expect(await upsert({ body: 'again' }, 'ghp_person')).toMatchObject({ status: 'updated' });
});

test("another App's comments are found by its configured login", async () => {
  const send = (body: string) =>
    clientOf(github, 'ghs_other', { author: 'some-app[bot]' }).upsertComment(request({ body }), patient());
  await send('once');
  expect(await send('twice')).toMatchObject({ status: 'updated' });
});

test("another App that was not configured still ends with one comment: the answer tells the token's identity", async () => {
  await upsert({ body: 'once' }, 'ghs_other');
  expect(await upsert({ body: 'twice' }, 'ghs_other')).toMatchObject({ status: 'created', duplicatesRemoved: 1 });
  expect(bodies()).toEqual([expect.stringContaining('twice')]);
});

test("a person's login is no bot's, whatever it looks like", async () => {
  const body = await markedBody();
  github.comments.add(12, { ...stranger, login: 'github-actions[bot]' }, body);
  expect(await upsert()).toMatchObject({ status: 'created' });
});

test('a fork with a read-only token gets `denied` and leaves nothing behind', async () => {
  expect(await upsert({}, 'ghs_fork')).toEqual({
    status: 'denied',
    reason: 'HTTP 403: Resource not accessible by integration',
  });
  expect(github.operations()).toEqual(['issues/list-comments', 'issues/create-comment']);
});

test('a wrong token is told apart from a missing permission', async () => {
  expect(await upsert({}, 'ghs_expired')).toEqual({ status: 'unauthenticated', reason: 'HTTP 401: Bad credentials' });
});

test('mode `never` asks nothing of GitHub', async () => {
  expect(await upsert({ mode: 'never' })).toMatchObject({ status: 'unchanged' });
  expect(github.requests).toEqual([]);
});

test('mode `on-change` writes when the fingerprint or the state differs, and not for a new time or SHA', async () => {
  const send = (body: string, fingerprint: string, state: 'alarm' | 'clear' = 'clear') =>
    upsert({ mode: 'on-change', body, fingerprint, state });
  expect(await send('at 10:00', 'table 1')).toMatchObject({ status: 'created' });
  expect(await send('at 11:00', 'table 1')).toMatchObject({ status: 'unchanged' });
  expect(bodies()).toEqual([expect.stringContaining('10:00')]);
  expect(await send('at 12:00', 'table 2')).toMatchObject({ status: 'updated' });
  expect(await send('at 13:00', 'table 2', 'alarm')).toMatchObject({ status: 'updated' });
});

test('mode `on-regression` is silent until there is one, and clears its alarm when it is fixed', async () => {
  const send = (state: 'alarm' | 'clear', body: string) => upsert({ mode: 'on-regression', state, body });
  expect(await send('clear', 'well')).toMatchObject({ status: 'unchanged', url: null });
  expect(github.comments.stored).toEqual([]);
  expect(await send('alarm', 'worse')).toMatchObject({ status: 'created' });
  expect(await send('clear', 'mended')).toMatchObject({ status: 'updated' });
  expect(bodies()).toEqual([expect.stringContaining('mended')]);
  expect(await send('clear', 'still well')).toMatchObject({ status: 'unchanged' });
  expect(bodies()).toEqual([expect.stringContaining('mended')]);
});

test('mode `on-regression` does not make an alarm that somebody deleted anew to say that all is well', async () => {
  await upsert({ mode: 'on-regression', state: 'alarm', body: 'worse' });
  github.upset('issues/update-comment', { kind: 'answer', reply: problem(404, 'Not Found') });
  expect(await upsert({ mode: 'on-regression', state: 'clear' })).toMatchObject({ status: 'unchanged' });
  expect(github.operations().filter((name) => name === 'issues/create-comment')).toHaveLength(1);
});

test("a slower, older run leaves a newer run's comment alone", async () => {
  await upsert({ sequence: 200, body: 'new' });
  expect(await upsert({ sequence: 100, body: 'old' })).toMatchObject({ status: 'unchanged' });
  expect(bodies()).toEqual([expect.stringContaining('new')]);
  expect(await upsert({ sequence: 200, body: 'rerun' })).toMatchObject({ status: 'updated' });
});

test.each([
  ['the connection breaks', { kind: 'truncated' }],
  ['a gateway answers', { kind: 'answer-lost', reply: problem(502, 'Bad Gateway') }],
  ['the answer is late', { kind: 'slow', delayMs: 2500 }],
] as const)('a comment whose creation is carried out but %s is not written twice', async (_how, mishap) => {
  github.upset('issues/create-comment', mishap);
  expect(await upsert()).toMatchObject({ status: 'created' });
  expect(github.comments.stored).toHaveLength(1);
});

test('a creation that a failing server did not carry out is tried again', async () => {
  github.upset('issues/create-comment', { kind: 'answer', reply: problem(503, 'Service Unavailable') });
  expect(await upsert()).toMatchObject({ status: 'created' });
});

test('an unreadable page is never taken for the end of the list', async () => {
  await upsert();
  const broken = Array.from({ length: 4 }, () => ({ kind: 'truncated' }) as const);
  github.upset('issues/list-comments', ...broken);
  expect(await upsert()).toMatchObject({ status: 'unavailable' });
  expect(github.comments.stored).toHaveLength(1);
});

test('a body beyond GitHub’s limit is refused before anything is sent', async () => {
  expect(await upsert({ body: 'x'.repeat(commentLimit) })).toMatchObject({ status: 'invalid' });
  expect(github.requests).toEqual([]);
});

test('a locked conversation is `denied`, with GitHub’s words', async () => {
  const locked = problem(403, 'Unable to create comment because issue is locked.');
  github.upset('issues/create-comment', { kind: 'answer', reply: locked });
  expect(await upsert()).toMatchObject({ status: 'denied', reason: expect.stringContaining('locked') as string });
});
