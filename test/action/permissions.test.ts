import { expect, test } from 'vitest';
import { problem } from '../fixtures/github/reply.ts';
import { forkPullRequest, pullRequest, push, schedule } from './events.ts';
import { fakeRunner } from './fake-runner.ts';
import { tinyRun } from './step.ts';

test('a fork’s pull request has a read-only token: summary, artifact, one notice, and green', async () => {
  const { github, results, job } = await fakeRunner();
  const step = await job({ event: forkPullRequest, token: 'ghs_fork' }).run('main', { ...tinyRun, charts: 'branch' });
  expect(step.exitCode, step.log).toBe(0);
  expect(step.summary).toContain('1 of 1 arm as expected');
  expect(results.finished).toHaveLength(1);
  const notices = step.commands('notice');
  expect(notices.map(({ data }) => data)).toEqual([
    expect.stringMatching(/^charts branch, check, comment: .*fork.*docs\/forks\.md/),
  ]);
  expect(step.commands('warning')).toEqual([]);
  expect(step.commands('error')).toEqual([]);
  expect(github.comments.stored).toEqual([]);
  expect(github.checks.stored).toEqual([]);
  expect(step.outputs).toMatchObject({ passed: 'true' });
});

test('a missing permission is a notice that names it', async () => {
  const { job } = await fakeRunner();
  const step = await job({ event: pullRequest, token: 'ghs_fork' }).run('main', tinyRun);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('notice').map(({ data }) => data)).toEqual([
    expect.stringMatching(/grant the job checks: write, pull-requests: write \(docs\/permissions\.md\)/),
  ]);
});

test.each([push, schedule])('$name has no pull request: summary, artifact and check, no comment', async (event) => {
  const { github, results, job } = await fakeRunner();
  const step = await job({ event }).run('main', tinyRun);
  expect(step.exitCode, step.log).toBe(0);
  expect(github.operations().filter((operation) => operation.startsWith('issues/'))).toEqual([]);
  expect(github.checks.stored).toHaveLength(1);
  expect(results.finished).toHaveLength(1);
  expect(step.commands('notice')).toEqual([]);
});

test('without a token nothing is asked of the API', async () => {
  const { github, job } = await fakeRunner();
  const step = await job().run('main', { ...tinyRun, 'github-token': '', charts: 'branch' });
  expect(step.exitCode, step.log).toBe(0);
  expect(github.requests).toEqual([]);
  expect(step.summary).toContain('1 of 1 arm as expected');
});

test('what is switched off is not done', async () => {
  const { github, results, job } = await fakeRunner();
  const step = await job().run('main', { ...tinyRun, comment: 'never', check: 'false', artifact: 'false' });
  expect(step.exitCode, step.log).toBe(0);
  expect(github.requests).toEqual([]);
  expect(results.asked).toEqual([]);
});

test('a runner without an artifact service is told of, and the rest is done', async () => {
  const { github, job } = await fakeRunner();
  const step = await job({ env: { ACTIONS_RESULTS_URL: '' } }).run('main', tinyRun);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('warning').map(({ properties }) => properties.title)).toEqual(['drainwatch: Artifact']);
  expect(github.comments.stored).toHaveLength(1);
});

test('an artifact of that name is no hindrance: the next free one is taken', async () => {
  const { results, job } = await fakeRunner();
  results.taken.add('drainwatch-attempt-1');
  const step = await job().run('main', tinyRun);
  expect(step.outputs['artifact-name']).toBe('drainwatch-attempt-1-2');
});

const later = problem(429, 'You have exceeded a secondary rate limit', { 'retry-after': '1' });
const broken = problem(502, 'Server Error');

test('rate limits, server errors, lost and slow answers are waited out; the comment is written once', async () => {
  const { github, job } = await fakeRunner();
  github.upset('issues/list-comments', { kind: 'answer', reply: later });
  github.upset('issues/create-comment', { kind: 'answer-lost', reply: broken });
  github.upset('checks/list-for-ref', { kind: 'answer', reply: broken }, { kind: 'slow', delayMs: 1500 });
  const step = await job().run('main', tinyRun);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('warning')).toEqual([]);
  expect(github.comments.stored).toHaveLength(1);
  expect(github.checks.stored).toHaveLength(1);
});

const answers = {
  'a bad token': problem(401, 'Bad credentials'),
  'a missing right': problem(403, 'Resource not accessible by integration'),
  'a hidden repository': problem(404, 'Not Found'),
  'content that is refused': problem(422, 'Validation Failed'),
};

test.each([
  ['a bad token', 'warning'],
  ['a missing right', 'notice'],
  ['a hidden repository', 'warning'],
  ['content that is refused', 'warning'],
] as const)('%s leaves the run green, with a %s', async (trouble, level) => {
  const { github, job } = await fakeRunner();
  const reply = answers[trouble];
  github.upset('issues/list-comments', { kind: 'answer', reply });
  github.upset('checks/list-for-ref', { kind: 'answer', reply });
  const step = await job().run('main', tinyRun);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands(level).length).toBeGreaterThan(0);
  expect(step.commands('error')).toEqual([]);
  expect(step.outputs.passed).toBe('true');
});
