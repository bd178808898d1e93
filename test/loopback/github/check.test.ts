import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkTextLimit, type CheckRequest } from '../../../src/github/check.ts';
import { clientOf, patient } from '../../fixtures/github/client.ts';
import { problem } from '../../fixtures/github/reply.ts';
import { FakeGitHub } from '../../fixtures/github/server.ts';

let github: FakeGitHub;
beforeEach(async () => {
  github = await FakeGitHub.start();
});
afterEach(async () => {
  await github[Symbol.asyncDispose]();
  expect(github.faults).toEqual([]);
});

const headSha = 'c0ffee0000000000000000000000000000000001';
const request: CheckRequest = {
  headSha,
  name: 'drainwatch / standard',
  externalId: 'standard',
  conclusion: 'success',
  title: '5 of 5 arms as expected',
  summary: '| arm | TCP |\n| --- | --- |',
};
const publish = (changes: Partial<CheckRequest> = {}, token = 'ghs_workflow') =>
  clientOf(github, token).publishCheck({ ...request, ...changes }, patient());
const remarks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: 'matrix/standard.yaml',
    start_line: index + 1,
    end_line: index + 1,
    annotation_level: 'warning' as const,
    message: `remark ${index}`,
  }));

test('a check is completed on the head commit, and updated in place by a rerun', async () => {
  const first = await publish();
  expect(first).toMatchObject({ status: 'created' });
  expect(await publish({ conclusion: 'failure', title: '1 arm differs' })).toEqual({ ...first, status: 'updated' });
  expect(github.checks.stored).toMatchObject([
    { headSha, status: 'completed', conclusion: 'failure', title: '1 arm differs', externalId: 'standard' },
  ]);
});

test('a check of another external id or another name is left alone', async () => {
  await publish();
  await publish({ externalId: 'nightly' });
  await publish({ name: 'drainwatch / other' });
  expect(github.checks.stored).toHaveLength(3);
});

test('120 annotations arrive in requests of at most 50, each once', async () => {
  expect(await publish({ annotations: remarks(120) })).toMatchObject({ status: 'created' });
  expect(github.checks.stored[0]?.annotations.map(({ message }) => message)).toEqual(
    remarks(120).map(({ message }) => message),
  );
  expect(github.operations()).toEqual(['checks/list-for-ref', 'checks/create', 'checks/update', 'checks/update']);
});

test('a check with annotations is superseded: they could not be taken back', async () => {
  await publish({ annotations: remarks(2) });
  expect(await publish({ annotations: remarks(1) })).toMatchObject({ status: 'created' });
  expect(github.checks.stored.map(({ annotations }) => annotations.length)).toEqual([2, 1]);
});

test('annotations are not sent twice when the answer is lost', async () => {
  await publish();
  github.upset('checks/update', { kind: 'answer-lost', reply: problem(502, 'Bad Gateway') });
  expect(await publish({ annotations: remarks(3) })).toMatchObject({ status: 'unavailable' });
  expect(github.checks.stored[0]?.annotations).toHaveLength(3);
});

test('a check whose creation is carried out but not answered is not made twice', async () => {
  github.upset('checks/create', { kind: 'truncated' });
  expect(await publish()).toMatchObject({ status: 'created' });
  expect(github.checks.stored).toHaveLength(1);
});

test('an annotation is cut to what GitHub takes, and never within a character', async () => {
  const long = { ...remarks(1)[0], title: 't'.repeat(400), message: '🙂'.repeat(40_000) };
  await publish({ annotations: [{ path: 'a', start_line: 1, end_line: 1, annotation_level: 'notice', ...long }] });
  const message = github.checks.stored[0]?.annotations[0]?.message ?? '';
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(65_536);
  // half of a pair of surrogates is no character
  expect(message).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
});

test('a summary beyond the limit is refused before anything is sent', async () => {
  expect(await publish({ summary: 'x'.repeat(checkTextLimit + 1) })).toMatchObject({ status: 'invalid' });
  expect(await publish({ text: 'x'.repeat(checkTextLimit + 1) })).toMatchObject({ status: 'invalid' });
  expect(github.requests).toEqual([]);
  expect(await publish({ summary: 'x'.repeat(checkTextLimit) })).toMatchObject({ status: 'created' });
});

test.each([
  ['a fork’s token', 'ghs_fork'],
  ['a person’s token, which may write no check', 'ghp_person'],
])('%s gets `denied`', async (_whose, token) => {
  expect(await publish({}, token)).toMatchObject({ status: 'denied' });
});
