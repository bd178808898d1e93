import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noticeDenied } from '../../../src/action/denied-notice.ts';
import { harmless } from '../../../src/action/journal.ts';
import { kubeconfigFile, secretsIn } from '../../../src/action/kubeconfig-input.ts';
import { artifactName } from '../../../src/action/publish-artifact.ts';
import { resultOutputs } from '../../../src/action/result-outputs.ts';
import { commentStateOf, conclusionOf, failsStep, fingerprintOf } from '../../../src/action/verdict.ts';
import type { Aggregate, ArmResult } from '../../../src/domain/aggregate.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { runVerdictOf } from '../../../src/domain/run-verdict.ts';
import { titleOf } from '../../../src/report/document/title.ts';
import { all, armOf, environment, matrix } from '../report/example-reports.ts';

const aggregateOf = (...arms: readonly ArmResult[]): Aggregate => ({
  schemaVersion: 1,
  run: 'run',
  matrix,
  startedAt: '2026-11-29T12:00:00.000Z',
  wallSeconds: measured(300),
  drift: [],
  environment: measured(environment),
  arms,
  warmUps: 0,
  comparisons: [],
  failedAttempts: [],
});

const good = armOf('drain', { tcp: all('drained-clean-close'), udp: all('severed (rehomed)') });
const bad: ArmResult = {
  ...good,
  verdict: 'not-as-expected',
  trials: good.trials.map((trial) => ({ ...trial, unexpected: ['exit code 1'] })),
};
const gone: ArmResult = { status: 'discarded', arm: good.arm, label: good.label, reason: 'no pod', completeTrials: 0 };
const drifted: Aggregate = { ...aggregateOf(good, good), drift: ['client kernel differs'] };
const skipped: ArmResult = { ...gone, status: 'skipped', reason: 'provider local has no Kubernetes API' };

test.each([
  ['all as expected', aggregateOf(good), 'as-expected', [false, false, false]],
  ['a skipped arm beside a good one', aggregateOf(good, skipped), 'as-expected', [false, false, false]],
  ['one not as expected', aggregateOf(good, bad), 'not-as-expected', [true, true, false]],
  ['one without a result', aggregateOf(good, gone), 'incomplete', [true, false, false]],
  ['none with a result', aggregateOf(gone), 'incomplete', [true, true, false]],
  ['nothing that could run', aggregateOf(skipped), 'incomplete', [true, true, false]],
  ['drift across arms, which voids their comparison', drifted, 'incomplete', [true, false, false]],
  ['drift beside one not as expected', { ...drifted, arms: [good, bad] }, 'not-as-expected', [true, true, false]],
] as const)(
  '%s: verdict, and whether inconclusive, unexpected, never fail the step',
  (_, aggregate, verdict, fails) => {
    expect(runVerdictOf(aggregate)).toBe(verdict);
    expect(titleOf(aggregate).startsWith('✗')).toBe(verdict !== 'as-expected');
    expect((['inconclusive', 'unexpected', 'never'] as const).map((rule) => failsStep(aggregate, rule))).toEqual(fails);
  },
);

test('a check is neutral where something was found that does not fail the step', () => {
  expect(conclusionOf(aggregateOf(good), 'never')).toBe('success');
  expect(conclusionOf(aggregateOf(bad), 'never')).toBe('neutral');
  expect(conclusionOf(aggregateOf(bad), 'unexpected')).toBe('failure');
  expect(conclusionOf(aggregateOf(good, gone), 'unexpected')).toBe('neutral');
  expect(conclusionOf(drifted, 'unexpected')).toBe('neutral');
  expect(conclusionOf(drifted, 'inconclusive')).toBe('failure');
});

test('a comment is an alarm whatever fails the step', () => {
  expect([good, bad, gone].map((arm) => commentStateOf(aggregateOf(arm)))).toEqual(['clear', 'alarm', 'alarm']);
});

test('results are the same when all ended alike, whatever the times and the run', () => {
  const slower = { ...good, metrics: [] };
  const again = { ...aggregateOf(slower), run: 'other', wallSeconds: measured(1) };
  expect(fingerprintOf(again)).toBe(fingerprintOf(aggregateOf(good)));
  const otherwise = armOf('drain', { tcp: all('severed (rst)'), udp: all('severed (rehomed)') });
  for (const other of [bad, gone, otherwise]
    .map((arm) => aggregateOf(arm))
    .concat({ ...aggregateOf(good), drift: drifted.drift }))
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(aggregateOf(good)));
});

test('outputs leave out what was not measured, and stay small whatever a cluster says', () => {
  const metric = { metric: 'a', summary: notMeasured('why'), precisions: [], notMeasured: [] };
  const one = { ...metric, metric: 'b', summary: measured({ n: 1, min: 5, median: 5, max: 5, values: [5] }) };
  const loud = { ...good, metrics: [metric, one], disagreements: ['x'.repeat(5_000_000)] };
  const outputs = resultOutputs(aggregateOf(loud), '/results');
  expect(JSON.parse(outputs.medians ?? '')).toEqual({ 'drain.iptables': { b: 5 } });
  expect(outputs['summary-json']?.length).toBeLessThan(20_000);
  expect(outputs).toMatchObject({ passed: 'true', trials: '5', 'report-folder': '/results' });
});

test.each([
  ['::set-output name=a::b', ':: is no command'],
  ['  ::error::x', 'after blanks'],
  ['a ##[error]x', 'in the old form'],
  ['a\r::error::x', 'after a return'],
  ['a\u2028::error::x', 'after a separator'],
])('%j can’t be a command: %s', (line) => {
  const shown = harmless(line);
  expect(shown).not.toMatch(/^\s*::|##\[|[\r\n\u2028\u2029]/);
  expect(shown.replaceAll(/[^a-z]/g, '')).toBe(line.replaceAll(/[^a-z]/g, ''));
});

test('ordinary lines stay as they are, tabs and indentation too', () => {
  for (const line of ['  metric   median', 'a::b', '\tx', 'kubelet: v1.34.0', '']) expect(harmless(line)).toBe(line);
});

test('the artifact is named by its wish, or by what the matrix has one of, and by the attempt', () => {
  const factors = (proxyModes: readonly string[], kubernetesVersions: readonly string[]) => ({
    proxyModes,
    kubernetesVersions,
  });
  expect(artifactName({ artifactName: 'drainwatch-pr' }, factors(['ipvs'], []), 2)).toBe('drainwatch-pr-attempt-2');
  expect(artifactName({}, factors(['ipvs'], ['v1.34.0']), 1)).toBe('drainwatch-ipvs-v1.34.0-attempt-1');
  expect(artifactName({}, factors(['ipvs', 'nftables'], []), 1)).toBe('drainwatch-attempt-1');
});

const kubeconfig = `
clusters: [{name: production, cluster: {server: https://10.0.0.1}}]
users:
  - name: administrator
    user:
      token: very-secret-token
      client-key-data: |
        first-secret-line
        second-secret-line
      exec: {command: aws, env: [{name: A, value: secret-in-environment}]}
`;

test('every credential of a kubeconfig is a secret, a line each, and no name or address is', () => {
  expect(secretsIn(kubeconfig)).toEqual([
    'very-secret-token',
    'first-secret-line',
    'second-secret-line',
    'secret-in-environment',
  ]);
});

test('of a text that is no kubeconfig every line is a secret', () => {
  expect(secretsIn('not: [yaml\nhello-world\nshort')).toEqual(['not: [yaml', 'hello-world']);
});

test('content becomes a file that only this user can read; a path stays one', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  onTestFinished(() => {
    rmSync(workspace, { recursive: true });
  });
  const places = { workspace, privateFolder: join(workspace, 'private') };
  const { path } = await kubeconfigFile(kubeconfig, places);
  expect(readFileSync(path, 'utf8')).toBe(kubeconfig);
  expect([statSync(path).mode & 0o777, statSync(places.privateFolder).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await kubeconfigFile('some/config', places)).toEqual({ path: join(workspace, 'some/config'), secrets: [] });
});

test('one notice tells of all that was denied, and nothing is told where nothing was', () => {
  const notices: string[] = [];
  const ignore = () => undefined;
  const journal = {
    ...{ write: ignore, open: ignore, close: ignore, warning: ignore, error: ignore },
    group: <T>(_: string, work: () => Promise<T>) => work(),
    notice: (_: string, text: string) => void notices.push(text),
  };
  const denied = (permission: string) => ({ status: 'denied', reason: 'HTTP 403', permission }) as const;
  const parts = new Map([
    ['Check', denied('checks: write')],
    ['Comment', denied('pull-requests: write')],
  ]);
  const target = { headSha: 'a', pullRequest: 1, isFork: false };
  const event = { kind: 'push', ref: 'refs/heads/main', headSha: 'a', isFork: false, canWrite: true } as const;
  const runner = {
    ...{ repository: 'o/r', owner: 'o', repo: 'r', runId: 1, attempt: 1, apiUrl: '', serverUrl: '', runUrl: '' },
    ...{ workspace: '', temporaryFolder: '', event, eventProblem: null },
  };
  noticeDenied(new Map(), { journal, target, runner });
  noticeDenied(parts, { journal, target, runner });
  expect(notices).toEqual([
    expect.stringContaining('check, comment: the token may not: grant the job checks: write, pull-requests: write'),
  ]);
});
