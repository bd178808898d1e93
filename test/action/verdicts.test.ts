import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeRunner } from './fake-runner.ts';
import { probesOf } from './probes.ts';
import { tinyRun } from './step.ts';
import { storeRun } from './stored-run.ts';

test('bad inputs are all named, with what is allowed, before anything is made', async () => {
  const { github, job } = await fakeRunner();
  const running = job();
  const wrong = { ...tinyRun, repeats: 'many', comment: 'sometimes', 'charts-branch': '../x', 'github-token': 'a\nb' };
  const step = await running.run('main', wrong);
  expect(step.exitCode).toBe(1);
  const text = step.commands('error')[0]?.data;
  expect(text).toMatch(
    /input `repeats` is "many"; input `github-token` is another text, which is not shown; .*"sometimes"/,
  );
  expect(text).toMatch(
    /`repeats` is a whole number from 1 to 1000; .*`comment` is one of always, on-change, on-regression, never/,
  );
  expect(step.outputs).toMatchObject({ passed: 'false', verdict: 'failed' });
  expect(readdirSync(running.workspace)).toEqual([]);
  expect(github.requests).toEqual([]);
});

test('an unknown scenario is told of by its name, with the known ones', async () => {
  const { job } = await fakeRunner();
  const running = job();
  const step = await running.run('main', { ...tinyRun, scenarios: 'explode' });
  expect(step.exitCode).toBe(1);
  expect(step.commands('error')[0]?.data).toMatch(/explode.*exit-now, drain/);
  expect(existsSync(join(running.workspace, 'drainwatch-results'))).toBe(false);
});

test('outside a runner it says what a runner would have set', async () => {
  const { job } = await fakeRunner();
  const step = await job({ env: { GITHUB_RUN_ID: '' } }).run('main', tinyRun);
  expect(step.exitCode).toBe(1);
  expect(step.commands('error')[0]?.data).toContain('GITHUB_RUN_ID');
});

test('an event that can’t be read is warned of, and the run is the same without it', async () => {
  const { github, results, job } = await fakeRunner();
  const step = await job({ event: { name: 'pull_request', sha: 'ab'.repeat(20), payload: {} } }).run('main', tinyRun);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('warning').map(({ properties }) => properties.title)).toEqual([
    'drainwatch: the event is unknown',
  ]);
  expect(github.comments.stored).toEqual([]);
  expect(results.finished).toHaveLength(1);
});

test('a trial that could not be carried through leaves no result: the step fails, and everything else is written', async () => {
  const { github, results, job } = await fakeRunner();
  const running = job();
  const { ended } = running.start('main', { ...tinyRun, settle: '30' });
  await expect.poll(() => probesOf(running.root), { timeout: 30_000 }).toHaveLength(1);
  for (const pid of probesOf(running.root)) process.kill(pid, 'SIGKILL');
  const step = await ended;
  expect(step.exitCode, step.log).toBe(1);
  expect(step.outputs).toMatchObject({ passed: 'false', verdict: 'incomplete', trials: '0' });
  expect(step.commands('error').map(({ properties }) => properties.title)).toContain(
    'exits at once · delete: discarded',
  );
  expect(step.summary).toMatch(/^### ✗ drainwatch/);
  expect(github.checks.stored).toMatchObject([{ conclusion: 'failure' }]);
  expect(github.comments.stored[0]?.body).toMatch(/ state=alarm /);
  expect(results.finished).toHaveLength(1);
});

/** Reports a stored run, which takes no measuring. */
async function reportOf(
  run: Parameters<typeof storeRun>[1],
  inputs: Readonly<Record<string, string>>,
  runner: Awaited<ReturnType<typeof fakeRunner>>,
  runId = 100,
) {
  const job = runner.job({ runId });
  const folder = await storeRun(join(job.workspace, 'stored'), run);
  return job.run('report', { folder, charts: 'none', artifact: 'false', ...inputs });
}

const wrong = { unexpected: ['exit code 1, expected 0'] };
const partial = { trials: 1 };
const none = { trials: 0 };

test.each([
  ['inconclusive', wrong, 1, 'failure'],
  ['inconclusive', none, 1, 'failure'],
  ['unexpected', wrong, 1, 'failure'],
  ['unexpected', none, 1, 'failure'],
  ['never', wrong, 0, 'neutral'],
  ['never', none, 0, 'neutral'],
  ['inconclusive', partial, 1, 'failure'],
  ['inconclusive', {}, 0, 'success'],
] as const)('fail-on %s with %j: exit code %i, check %s', async (rule, run, exitCode, conclusion) => {
  const runner = await fakeRunner();
  const step = await reportOf(run, { 'fail-on': rule }, runner);
  expect(step.exitCode, step.log).toBe(exitCode);
  expect(runner.github.checks.stored).toMatchObject([{ conclusion }]);
});

test('an unexpected ending is an annotation, and the first words of the comment', async () => {
  const runner = await fakeRunner();
  const step = await reportOf(wrong, {}, runner);
  expect(step.outputs).toMatchObject({ verdict: 'not-as-expected', passed: 'false' });
  expect(step.commands('error')[0]).toMatchObject({ properties: { title: 'drains · delete: not as expected' } });
  expect(runner.github.comments.stored[0]?.body).toMatch(/\n### ✗ drainwatch · [^\n]*not.as.expected/);
});

test('on-regression: nothing while all is well, an alarm, and its end', async () => {
  const runner = await fakeRunner();
  const comment = 'on-regression';
  await reportOf({}, { comment }, runner, 1);
  expect(runner.github.comments.stored).toEqual([]);
  await reportOf(wrong, { comment }, runner, 2);
  expect(runner.github.comments.stored[0]?.body).toMatch(/ state=alarm /);
  await reportOf({}, { comment }, runner, 3);
  expect(runner.github.comments.stored).toHaveLength(1);
  expect(runner.github.comments.stored[0]?.body).toMatch(/ state=clear /);
});

test('on-change: a run that ended alike leaves the comment, whatever its times', async () => {
  const runner = await fakeRunner();
  const comment = 'on-change';
  await reportOf({}, { comment }, runner, 1);
  const before = runner.github.comments.stored[0]?.body;
  const second = await reportOf({}, { comment }, runner, 2);
  expect(runner.github.comments.stored[0]?.body).toBe(before);
  expect(second.outputs['comment-url']).toMatch(/issuecomment/);
  await reportOf(wrong, { comment }, runner, 3);
  expect(runner.github.comments.stored[0]?.body).not.toBe(before);
});

test('an older run that ends later does not overwrite a newer one’s comment', async () => {
  const runner = await fakeRunner();
  await reportOf({}, {}, runner, 20);
  await reportOf(wrong, {}, runner, 10);
  expect(runner.github.comments.stored[0]?.body).toMatch(/ sequence=20 /);
});

test('a folder is uploaded under the name that is given', async () => {
  const runner = await fakeRunner();
  const step = await reportOf({}, { artifact: 'true', 'artifact-name': 'drainwatch-merged' }, runner);
  expect(step.outputs['artifact-name']).toBe('drainwatch-merged-attempt-1');
  expect(readFileSync(join(step.outputs['report-folder'] ?? '', 'aggregate.json'), 'utf8')).toContain('"complete"');
});

test('a matrix file of hostile words changes nothing but its own text', async () => {
  const { github, job } = await fakeRunner();
  const running = job();
  const words = '::set-output name=passed::false\u0007 ##[error]forged <img src=x> @octocat/admins';
  const matrix = { name: 'hostile', description: words, scenarios: ['exit-now'], repeats: 1, gracePeriodSeconds: 2 };
  const conditions = { flows: { tcp: 1, udp: 0 }, settleSeconds: 0.2, trailingSeconds: 0, clusterReuse: 'shared' };
  writeFileSync(join(running.workspace, 'matrix.json'), JSON.stringify({ ...matrix, ...conditions }));
  const step = await running.run('main', { provider: 'local', matrix: 'matrix.json', charts: 'none' });
  expect(step.exitCode, step.log).toBe(0);
  expect(step.outputs.passed).toBe('true');
  expect([...step.commands('set-output'), ...step.commands('##error'), ...step.commands('error')]).toEqual([]);
  const body = github.comments.stored[0]?.body ?? '';
  expect(body).toContain('1 of 1 arm as expected');
  // a fenced block shows what it holds: the matrix to run it again
  expect(body.replaceAll(/^(`{3,})[a-z]*$[^]*?^\1$/gm, '')).not.toMatch(/<img|@octocat/);
});
