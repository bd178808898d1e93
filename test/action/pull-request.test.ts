import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { azuriteMissing, startAzurite } from '../fixtures/github/azurite.ts';
import { fakeRunner } from './fake-runner.ts';
import { headSha } from './events.ts';
import { actions, tinyRun } from './step.ts';

test('a pull request gets summary, outputs, artifact, check and comment of one run', async () => {
  const { github, results, job } = await fakeRunner();
  const step = await job().run('main', tinyRun);
  expect(step.exitCode, step.log).toBe(0);
  expect(github.faults).toEqual([]);
  expect(step.summary).toMatch(/^### drainwatch · 1 of 1 arm as expected · 1 trial/);

  const { outputs } = step;
  expect(Object.keys(outputs).filter((name) => !(name in actions.main.outputs))).toEqual([]);
  expect(outputs).toMatchObject({
    passed: 'true',
    verdict: 'as-expected',
    trials: '1',
    'artifact-name': 'drainwatch-attempt-1',
  });
  const medians = z.record(z.string(), z.record(z.string(), z.number())).parse(JSON.parse(outputs.medians ?? ''));
  expect(medians['exit-now']?.['trigger-to-first-tcp-end']).toBeGreaterThan(0);
  const summary = z
    .object({ arms: z.array(z.object({ id: z.string(), verdict: z.string() })) })
    .parse(JSON.parse(outputs['summary-json'] ?? ''));
  expect(summary.arms).toEqual([{ id: 'exit-now', verdict: 'as-expected' }]);
  expect(existsSync(outputs['report-html'] ?? '')).toBe(true);
  expect(readdirSync(outputs['report-folder'] ?? '')).toEqual(
    expect.arrayContaining(['aggregate.json', 'table.txt', 'trials.csv', 'report.html']),
  );

  expect(results.problems).toEqual([]);
  expect(results.finished.map(({ name }) => name)).toEqual(['drainwatch-attempt-1']);
  expect(outputs['artifact-url']).toBe(
    `https://github.com/octocat/hello/actions/runs/100/artifacts/${outputs['artifact-id'] ?? ''}`,
  );

  // the check is on the head of the pull request, not on the merge commit that the runner checks out
  expect(github.checks.stored).toMatchObject([{ headSha, name: 'drainwatch', conclusion: 'success' }]);
  const [comment] = github.comments.stored;
  expect(comment).toMatchObject({ issue: 12 });
  expect(comment?.body).toContain(outputs['artifact-url']);
  expect(comment?.body).toContain('https://github.com/octocat/hello/actions/runs/100');
  expect(outputs['comment-id']).toBe(String(comment?.id));
  expect(step.summary).toContain(outputs['artifact-url']);

  const titles = step.commands('group').map(({ data }) => data);
  expect(titles).toEqual([
    'Plan',
    'Trials: exit-now',
    'Summary',
    'Report',
    'Artifact',
    'Summary, with links',
    'Check',
    'Comment',
  ]);
  expect(step.commands('endgroup')).toHaveLength(titles.length);
  expect(step.commands('error')).toEqual([]);
});

test('a second run updates the comment and the check of the first', async () => {
  const { github, job } = await fakeRunner();
  const first = await job().run('main', tinyRun);
  const second = await job({ runId: 101 }).run('main', tinyRun);
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  expect(github.comments.stored).toHaveLength(1);
  expect(github.checks.stored).toHaveLength(1);
  expect(second.outputs['comment-id']).toBe(first.outputs['comment-id']);
  expect(github.comments.stored[0]?.body).toContain('/actions/runs/101');
  expect(github.faults).toEqual([]);
});

test('keys keep comments and checks apart', async () => {
  const { github, job } = await fakeRunner();
  await job().run('main', { ...tinyRun, 'comment-key': 'one' });
  await job().run('main', { ...tinyRun, 'comment-key': 'two' });
  expect(github.comments.stored).toHaveLength(2);
  expect(github.checks.stored.map(({ name }) => name)).toEqual(['drainwatch (one)', 'drainwatch (two)']);
});

test('charts on a branch are shown in comment and summary, and lie in the artifact', async () => {
  const { github, job } = await fakeRunner();
  const step = await job().run('main', { ...tinyRun, charts: 'branch' });
  expect(step.exitCode, step.log).toBe(0);
  const paths = z.array(z.string()).parse(JSON.parse(step.outputs['chart-paths'] ?? ''));
  expect(paths.length).toBeGreaterThan(0);
  expect(
    paths.every((path) => path.startsWith(join(step.outputs['report-folder'] ?? '', 'charts')) && existsSync(path)),
  ).toBe(true);
  const picture =
    /https:\/\/github\.com\/octocat\/hello\/raw\/[0-9a-f]{40}\/\d{8}T\d{6}Z-pr-12-default\/[\w.-]+\.light\.png/;
  expect(github.comments.stored[0]?.body).toMatch(picture);
  expect(step.summary).toMatch(picture);
  expect(github.faults).toEqual([]);
});

test.skipIf(azuriteMissing !== undefined)(
  `the artifact is taken by the emulator of GitHub’s own store, digest and all${azuriteMissing === undefined ? '' : ` (skipped: ${azuriteMissing})`}`,
  async () => {
    await using azurite = await startAzurite();
    const { results, job } = await fakeRunner((name) => azurite.signedUrl(name, 'write'));
    const step = await job().run('main', tinyRun);
    expect(step.exitCode, step.log).toBe(0);
    const [finished] = results.finished;
    const archive = await azurite.content('drainwatch-attempt-1');
    expect(finished).toMatchObject({ name: 'drainwatch-attempt-1', bytes: archive.length });
    expect(finished?.hash).toBe(`sha256:${createHash('sha256').update(archive).digest('hex')}`);
  },
);
