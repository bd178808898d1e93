import { expect, test } from 'vitest';
import { eventContextOf } from '../../../src/github/event-context.ts';
import { checkTriggeringRun } from '../../../src/github/triggering-run.ts';

const merge = 'a'.repeat(40);
const head = 'b'.repeat(40);
const here = { id: 1, full_name: 'octocat/hello' };
const fork = { id: 2, full_name: 'mona/hello' };
const pull = (headRepository: typeof here | null) => ({
  repository: here,
  pull_request: { number: 12, head: { sha: head, repo: headRepository }, base: { sha: 'c'.repeat(40), repo: here } },
});
const finishedRun = (headRepository: typeof here | null) => ({
  repository: here,
  workflow_run: {
    id: 77,
    run_attempt: 2,
    path: '.github/workflows/drainwatch.yml',
    event: 'pull_request',
    conclusion: 'success',
    head_sha: head,
    head_branch: 'fix',
    repository: here,
    head_repository: headRepository,
  },
});
const contextOf = (name: string, payload: unknown = {}) => eventContextOf({ name, sha: merge, payload });

test('a pull request is judged by its own head, not by the merge commit', () => {
  expect(contextOf('pull_request', pull(here))).toEqual({
    kind: 'pull-request',
    event: 'pull_request',
    headSha: head,
    baseSha: 'c'.repeat(40),
    pullRequest: 12,
    isFork: false,
    canWrite: true,
  });
});

test('a pull request from a fork, or from one that was deleted, has a read-only token', () => {
  for (const repository of [fork, null]) {
    expect(contextOf('pull_request', pull(repository))).toMatchObject({ isFork: true, canWrite: false, headSha: head });
  }
});

test('in a fork, a pull request of that fork to itself is no fork’s', () => {
  const payload = { ...pull(fork), pull_request: { ...pull(fork).pull_request, base: { sha: 'c', repo: fork } } };
  expect(contextOf('pull_request', payload)).toMatchObject({ isFork: false, canWrite: true });
});

test('pull_request_target may write for a fork, and is still a fork’s', () => {
  expect(contextOf('pull_request_target', pull(fork))).toMatchObject({ isFork: true, canWrite: true, headSha: head });
});

test('a finished run leads to its own head, and to no pull request: that one is asked for', () => {
  const context = contextOf('workflow_run', finishedRun(fork));
  expect(context).toMatchObject({ kind: 'workflow-run', headSha: head, isFork: true, canWrite: true });
  expect(context).not.toHaveProperty('pullRequest');
  expect(contextOf('workflow_run', finishedRun(null))).toMatchObject({ isFork: true, run: { headRepository: null } });
  expect(contextOf('workflow_run', finishedRun(here))).toMatchObject({ isFork: false, run: { id: 77, attempt: 2 } });
});

test.each([
  ['push', { ref: 'refs/tags/v1', after: 'd'.repeat(40) }, { kind: 'push', ref: 'refs/tags/v1' }],
  ['schedule', { schedule: '0 0 * * *' }, { kind: 'schedule' }],
  ['workflow_dispatch', { inputs: {} }, { kind: 'workflow-dispatch' }],
  ['merge_group', {}, { kind: 'other', event: 'merge_group' }],
])('%s is about the commit that the runner names', (name, payload, expected) => {
  expect(contextOf(name, payload)).toEqual({ ...expected, headSha: merge, isFork: false, canWrite: true });
});

test('a payload that is not GitHub’s is told, with the property', () => {
  expect(() => contextOf('pull_request', { repository: here })).toThrow(/pull_request/);
  expect(() => contextOf('workflow_run', null)).toThrow(/GITHUB_EVENT_PATH/);
});

const expected = {
  repository: 'OctoCat/hello',
  workflowPath: '.github/workflows/drainwatch.yml',
  events: ['pull_request'],
};
const runOf = (changes: object = {}) => {
  const context = contextOf('workflow_run', {
    ...finishedRun(fork),
    workflow_run: { ...finishedRun(fork).workflow_run, ...changes },
  });
  if (context.kind !== 'workflow-run') throw new Error(context.kind);
  return context.run;
};

test('the expected run is accepted, also when its path names a ref', () => {
  expect(checkTriggeringRun(runOf(), expected)).toEqual({ status: 'accepted' });
  expect(checkTriggeringRun(runOf({ path: `${expected.workflowPath}@refs/heads/main` }), expected).status).toBe(
    'accepted',
  );
});

test.each([
  [{ path: '.github/workflows/other.yml' }, /its workflow is/],
  [{ event: 'push' }, /its event is/],
  [{ repository: fork }, /it ran in/],
])('a run with %j is refused', (changes, reason) => {
  expect(checkTriggeringRun(runOf(changes), expected)).toEqual({
    status: 'refused',
    reason: expect.stringMatching(reason) as string,
  });
});

test('what a run says of itself is quoted on one line', () => {
  const verdict = checkTriggeringRun(runOf({ event: 'x\n::set-output name=a::b' }), expected);
  expect(verdict.status === 'refused' ? verdict.reason : '').toMatch(/^run 77 [^\n]*" *x ::set-output name=a::b"/);
});
