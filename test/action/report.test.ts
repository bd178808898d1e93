import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TrialReport } from '../../src/domain/trial.ts';
import { openArchiveStore } from '../fixtures/github/archive-store.ts';
import { zipOf, type ZipEntry } from '../fixtures/github/zip.ts';
import { forkPullRequest, headSha, pullRequest, triggeringRunId, workflowRun } from './events.ts';
import { fakeRunner } from './fake-runner.ts';
import { tinyRun } from './step.ts';
import { storeRun, type StoredRun } from './stored-run.ts';

const inputs = { workflow: '.github/workflows/drainwatch.yml' };
const pull = {
  number: 12,
  state: 'open',
  headSha,
  headBranch: 'topic',
  headOwner: 'mallory',
  headRepositoryId: 2,
  baseRepositoryId: 1,
} as const;

/** The runner of a `workflow_run`, whose triggering run has these artifacts. */
async function afterRun(archives: Readonly<Record<string, Buffer>>) {
  const runner = await fakeRunner();
  const store = await openArchiveStore(new Map(Object.entries(archives).map(([name, zip]) => [`/${name}`, zip])));
  onTestFinished(() => store[Symbol.asyncDispose]());
  runner.github.pulls.stored.push(pull);
  for (const [index, [name, zip]] of Object.entries(archives).entries()) {
    const location = `${store.url}/${name}`;
    runner.github.artifacts.stored.push({ id: index + 1, runId: triggeringRunId, name, bytes: zip.length, location });
  }
  return runner;
}

const filesBelow = (folder: string): readonly ZipEntry[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: path.slice(folder.length + 1), content: readFileSync(path) }));

let stored = 0;
/** The artifact of a run that was stored. */
async function artifactOf(root: string, options: StoredRun = {}, more: readonly ZipEntry[] = []): Promise<Buffer> {
  const folder = await storeRun(join(root, `stored-${++stored}`), options);
  return zipOf([...filesBelow(folder), ...more]);
}

/** A folder for what tests store before there is a job. */
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drainwatch-stored-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('the artifact of a fork’s real run is commented on by the second workflow', async () => {
  const measuring = await fakeRunner();
  const first = await measuring.job({ event: forkPullRequest, token: 'ghs_fork' }).run('main', tinyRun);
  expect(first.exitCode, first.log).toBe(0);
  const name = first.outputs['artifact-name'] ?? '';
  const archive = measuring.sink.archive(name);
  if (archive === undefined) throw new Error('nothing was uploaded');

  const { github, job } = await afterRun({ [name]: archive });
  const step = await job({ event: workflowRun(), runId: 900 }).run('report', inputs);
  expect(step.exitCode, step.log).toBe(0);
  expect(github.faults).toEqual([]);
  const [comment] = github.comments.stored;
  expect(comment).toMatchObject({ issue: 12 });
  expect(comment?.body).toMatch(/^<!-- drainwatch-comment [^\n]*\n> Measured by a run of a fork’s code/);
  expect(comment?.body).toContain('1 of 1 arm as expected');
  expect(comment?.body).toContain(`https://github.com/octocat/hello/actions/runs/${triggeringRunId}`);
  expect(github.checks.stored).toMatchObject([{ headSha, conclusion: 'success' }]);
  expect(step.outputs).toMatchObject({ passed: 'true', 'pull-request': '12' });
});

test('a fork’s unexpected ending is told of, and leaves this workflow green', async () => {
  const archive = await artifactOf(scratch(), { unexpected: ['exit code 1, expected 0'] });
  const { github, job } = await afterRun({ 'drainwatch-attempt-1': archive });
  const step = await job({ event: workflowRun() }).run('report', { ...inputs, charts: 'none' });
  expect(step.exitCode, step.log).toBe(0);
  expect(step.outputs).toMatchObject({ passed: 'false', verdict: 'not-as-expected' });
  expect(github.comments.stored[0]?.body).toMatch(/state=alarm/);
  expect(github.checks.stored).toMatchObject([{ conclusion: 'failure' }]);
});

test('artifacts of several jobs are one result, each arm from its highest attempt', async () => {
  const root = scratch();
  const { github, job } = await afterRun({
    'drainwatch-a-attempt-1': await artifactOf(root, { scenario: 'exit-now' }),
    'drainwatch-b-attempt-1': await artifactOf(root, { scenario: 'drain', trials: 0 }),
    'drainwatch-b-attempt-2': await artifactOf(root, { scenario: 'drain', manifest: { options: { attempt: 2 } } }),
  });
  const step = await job({ event: workflowRun() }).run('report', { ...inputs, charts: 'none' });
  expect(step.exitCode, step.log).toBe(0);
  expect(github.comments.stored[0]?.body).toContain('2 of 2 arms as expected');
  expect(step.outputs.verdict).toBe('as-expected');
});

test('one artifact is chosen by its name', async () => {
  const root = scratch();
  const { github, job } = await afterRun({
    'drainwatch-a-attempt-1': await artifactOf(root, { scenario: 'exit-now' }),
    'drainwatch-b-attempt-1': await artifactOf(root, { scenario: 'drain' }),
  });
  const step = await job({ event: workflowRun() }).run('report', {
    ...inputs,
    charts: 'none',
    'artifact-name': 'drainwatch-a',
  });
  expect(step.exitCode, step.log).toBe(0);
  expect(github.comments.stored[0]?.body).toContain('1 of 1 arm as expected');
});

test.each([
  ['of another workflow', workflowRun({ path: '.github/workflows/evil.yml' }), /its workflow is/],
  ['of another event', workflowRun({ event: 'push' }), /its event is/],
  ['of another repository', workflowRun({ repository: { id: 9, full_name: 'mallory/other' } }), /it ran in/],
  ['whose pull request has moved on', workflowRun({ head_sha: '12'.repeat(20) }), /has moved on/],
  ['without an artifact', workflowRun(), /no artifact of drainwatch/],
])('a run %s is not reported, with a notice, and green', async (_, event, reason) => {
  const { github, job } = await afterRun({});
  const step = await job({ event }).run('report', inputs);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('notice').map(({ data }) => data)).toEqual([expect.stringMatching(reason)]);
  expect(github.comments.stored).toEqual([]);
  expect(github.checks.stored).toEqual([]);
  expect(step.outputs).not.toHaveProperty('passed');
});

test('an event that is no workflow_run, and inputs that say nothing, are refused', async () => {
  const { job } = await fakeRunner();
  const wrongEvent = await job({ event: pullRequest }).run('report', inputs);
  expect(wrongEvent.exitCode).toBe(1);
  expect(wrongEvent.commands('error')[0]?.data).toMatch(/event pull-request/);
  const nothing = await job().run('report', {});
  expect(nothing.commands('error')[0]?.data).toMatch(/input `workflow`/);
});

const hostile =
  '</details><img src=x onerror=alert(1)> @octocat/admins #1 [x](javascript:alert(1)) ![y](https://evil.example/p.png)';
const lines = '::set-output name=passed::true\n::error::forged\n##[error]forged\n%0A::warning::forged';

/** Every text of a report that a cluster, and so anybody, chose. */
const poisoned =
  (text: string) =>
  (report: TrialReport): TrialReport => ({
    ...report,
    unexpected: [text],
    environment: {
      ...report.environment,
      tool: { ...report.environment.tool, version: text },
      cni: { status: 'measured', value: text },
      proxyMode: { status: 'not-measured', reason: text },
      nodes: report.environment.nodes.map((node) => ({ ...node, name: text, kernel: text })),
      path: text,
    },
    trial: { ...report.trial, pod: text },
  });

test.each([
  ['markup', hostile],
  ['workflow commands', lines],
  ['forty megabytes', 'x'.repeat(2_000_000)],
])('hostile %s in an artifact changes nothing but its own text', async (_, text) => {
  const tool = { version: text, commit: '1a2b3c4d5e6f', dirty: false };
  const archive = await artifactOf(scratch(), { change: poisoned(text), manifest: { tool } });
  const { github, job } = await afterRun({ 'drainwatch-attempt-1': archive });
  const step = await job({ event: workflowRun() }).run('report', { ...inputs, charts: 'none' });
  expect(step.exitCode, step.log.slice(0, 5000)).toBe(0);
  expect(github.faults).toEqual([]);
  const body = github.comments.stored[0]?.body ?? '';
  expect(body.length).toBeGreaterThan(0);
  expect(body.length).toBeLessThanOrEqual(65_536);
  for (const shown of [body, step.summary]) {
    expect(shown).not.toMatch(/<img|@octocat|\]\(javascript|!\[|onerror=alert\(1\)>/);
    expect(shown.split('\n').filter((line) => /^\s*::|##\[/.test(line))).toEqual([]);
  }
  // commands of the log are this project's own
  expect(step.outputs).toMatchObject({ passed: 'false', verdict: 'not-as-expected' });
  expect(step.commands('set-output')).toEqual([]);
  expect(step.commands('##error')).toEqual([]);
  expect(step.commands('warning')).toEqual([]);
  expect(step.commands('error').map(({ data }) => data)).not.toContain('forged');
});

test.each<[string, readonly ZipEntry[]]>([
  ['a path that leads out', [{ name: '../../outside', content: 'x' }]],
  ['a symbolic link', [{ name: 'trials/link', content: '/etc/passwd', mode: 0o120777 }]],
  ['no JSON', [{ name: 'run.json', content: 'nothing' }]],
  ['a manifest of another form', [{ name: 'run.json', content: '{"schemaVersion":1}' }]],
  ['nothing', [{ name: 'readme.txt', content: 'hello' }]],
  ['a bomb', [{ name: 'trials/bomb', content: Buffer.alloc(200_000_000) }]],
])('an artifact with %s is refused with a notice, and green', async (_, entries) => {
  const { github, job } = await afterRun({ 'drainwatch-attempt-1': zipOf(entries) });
  const running = job({ event: workflowRun() });
  const step = await running.run('report', inputs);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('notice')).toHaveLength(1);
  expect(github.comments.stored).toEqual([]);
  expect(readdirSync(running.root).filter((name) => name === 'outside')).toEqual([]);
});

test('an artifact whose trials are of another scenario than any is refused', async () => {
  const root = scratch();
  const folder = await storeRun(join(root, 'run'), {});
  const manifest = readFileSync(join(folder, 'run.json'), 'utf8').replaceAll('"drain"', '"../../etc"');
  writeFileSync(join(folder, 'run.json'), manifest);
  const { github, job } = await afterRun({ 'drainwatch-attempt-1': zipOf(filesBelow(folder)) });
  const step = await job({ event: workflowRun() }).run('report', inputs);
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('notice')[0]?.data).toMatch(/not reported/);
  expect(github.comments.stored).toEqual([]);
});
