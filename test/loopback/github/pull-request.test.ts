import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TriggeringRun } from '../../../src/github/triggering-run.ts';
import { clientOf, patient } from '../../fixtures/github/client.ts';
import { problem } from '../../fixtures/github/reply.ts';
import type { StoredPull } from '../../fixtures/github/pulls.ts';
import { FakeGitHub } from '../../fixtures/github/server.ts';

let github: FakeGitHub;
beforeEach(async () => {
  github = await FakeGitHub.start();
});
afterEach(async () => {
  await github[Symbol.asyncDispose]();
  expect(github.faults).toEqual([]);
});

const base = { id: 1, fullName: 'octocat/hello' };
const fork = { id: 2, fullName: 'mona/hello' };
const sha = 'c0ffee0000000000000000000000000000000001';
const later = 'c0ffee0000000000000000000000000000000002';
const run = (changes: Partial<TriggeringRun> = {}): TriggeringRun => ({
  id: 77,
  attempt: 1,
  workflowPath: '.github/workflows/drainwatch.yml',
  event: 'pull_request',
  conclusion: 'success',
  headSha: sha,
  headBranch: 'fix/drain&state=all',
  repository: base,
  headRepository: fork,
  ...changes,
});
const pull = (changes: Partial<StoredPull> = {}): StoredPull => ({
  number: 12,
  state: 'open',
  headSha: sha,
  headBranch: 'fix/drain&state=all',
  headOwner: 'mona',
  headRepositoryId: fork.id,
  baseRepositoryId: base.id,
  ...changes,
});
const ofOwn = { headOwner: 'octocat', headRepositoryId: base.id } as const;
const find = (changes: Partial<TriggeringRun> = {}) =>
  clientOf(github, 'ghs_workflow').findPullRequest(run(changes), patient());

test("a fork's pull request is found, whose commit the base repository does not know", async () => {
  github.pulls.stored.push(pull({ number: 11, headSha: later }), pull());
  expect(await find()).toEqual({ status: 'found', pullRequest: 12 });
});

test('a pull request of the repository itself is found by its commit alone', async () => {
  github.pulls.stored.push(pull(ofOwn));
  expect(await find({ headRepository: base, headBranch: null })).toEqual({ status: 'found', pullRequest: 12 });
});

test('a pull request of the same branch name from another repository is not the run’s', async () => {
  github.pulls.stored.push(pull({ headRepositoryId: 666 }));
  expect(await find()).toMatchObject({ status: 'none' });
});

test('a pull request into another repository is not this one’s', async () => {
  github.pulls.stored.push(pull({ baseRepositoryId: 666 }));
  expect(await find()).toMatchObject({ status: 'none' });
});

test('a closed pull request gets no comment', async () => {
  github.pulls.stored.push(pull({ ...ofOwn, state: 'closed' }));
  expect(await find({ headRepository: base })).toMatchObject({ status: 'none' });
});

test('a pull request that has moved on is told, and not taken', async () => {
  github.pulls.stored.push(pull({ headSha: later }));
  expect(await find()).toMatchObject({ status: 'superseded', pullRequest: 12 });
});

test('one commit that heads two pull requests is ambiguous', async () => {
  github.pulls.stored.push(pull(), pull({ number: 13 }));
  expect(await find()).toMatchObject({ status: 'ambiguous', pullRequests: [12, 13] });
});

test('a deleted fork leads to no pull request, without a request', async () => {
  expect(await find({ headRepository: null })).toMatchObject({ status: 'none' });
  expect(github.requests).toEqual([]);
});

test('a commit that GitHub has never seen is no failure', async () => {
  github.pulls.stored.push(pull());
  const unknown = problem(422, `No commit found for SHA: ${sha}`);
  github.upset('repos/list-pull-requests-associated-with-commit', { kind: 'answer', reply: unknown });
  expect(await find()).toEqual({ status: 'found', pullRequest: 12 });
});

test('an answer that is missing is a failure, not the absence of a pull request', async () => {
  const bad = { kind: 'answer', reply: problem(500, 'Server Error') } as const;
  github.upset('pulls/list', bad, bad, bad, bad);
  expect(await find()).toMatchObject({ status: 'unavailable' });
});
