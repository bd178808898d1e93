import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readActionInputs, runForm } from '../../../src/action/inputs.ts';
import { publicationForm } from '../../../src/action/publication-inputs.ts';
import { inputNameOf } from '../../../src/action/read-inputs.ts';
import { readReportInputs, sourceForm } from '../../../src/action/report-inputs.ts';
import { commentModes } from '../../../src/github/comment-policy.ts';
import { clusterReuses } from '../../../src/domain/matrix.ts';
import { builtInMatrices } from '../../../src/assembly/matrix-factors.ts';

const fileForm = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.object({ description: z.string() })),
});
const files = {
  'action.yml': fileForm.parse(parse(readFileSync('action.yml', 'utf8'))),
  'report/action.yml': fileForm.parse(parse(readFileSync('report/action.yml', 'utf8'))),
};
const forms = { 'action.yml': [runForm, publicationForm], 'report/action.yml': [sourceForm, publicationForm] } as const;

type Given = Readonly<Record<string, string>>;
const from = (given: Given) => (name: string) => given[name] ?? '';
const inputs = (given: Given) => readActionInputs(from(given));
const defaultsOf = (file: keyof typeof files, token: string): Given =>
  Object.fromEntries(
    Object.entries(files[file].inputs).map(([name, input]) => [
      name,
      input.default.replace('${{ github.token }}', token),
    ]),
  );

test.each(['action.yml', 'report/action.yml'] as const)('the code reads every input of %s, and no other', (file) => {
  const read = forms[file].flatMap(({ shape }) => Object.keys(shape)).map(inputNameOf);
  expect(read.toSorted()).toEqual(Object.keys(files[file].inputs).toSorted());
});

test('an empty input counts as not given: it has the default of action.yml', () => {
  expect(readActionInputs(from(defaultsOf('action.yml', '')))).toEqual(inputs({}));
  const folder = { folder: 'results' };
  expect(readReportInputs(from({ ...defaultsOf('report/action.yml', ''), ...folder }))).toEqual(
    readReportInputs(from(folder)),
  );
});

test.each(['action.yml', 'report/action.yml'] as const)('%s describes what its inputs allow', (file) => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    comment: commentModes,
    'fail-on': ['inconclusive', 'unexpected', 'never'],
    charts: ['artifact', 'branch', 'none'],
    check: ['true', 'false'],
    artifact: ['true', 'false'],
    'cluster-reuse': clusterReuses,
    provider: ['auto', 'kind', 'kubeconfig', 'local'],
    matrix: builtInMatrices,
  };
  for (const [name, { description }] of Object.entries(files[file].inputs)) {
    for (const value of allowed[name] ?? []) expect(description, name).toContain(`\`${value}\``);
  }
});

test('numbers, lists and choices arrive as the command line has them', () => {
  const { run, publication, outputFolder } = inputs({
    matrix: 'quick',
    scenarios: 'drain, exit-now\nignore\n',
    repeats: '3',
    settle: '0.5',
    'new-connection-interval': '10',
    'grace-period': '60',
    'cluster-reuse': 'shared',
    comment: 'on-change',
    check: 'false',
    'artifact-retention-days': '7',
    'output-folder': 'out',
  });
  expect(run).toEqual({
    ...{
      matrix: 'quick',
      provider: 'auto',
      workers: 1,
      repeats: 3,
      settle: 0.5,
      newConnections: 10,
      gracePeriod: 60,
      clusterReuse: 'shared',
    },
    scenarios: ['drain', 'exit-now', 'ignore'],
  });
  expect(publication).toMatchObject({
    comment: 'on-change',
    check: false,
    artifactRetentionDays: 7,
    failOn: 'inconclusive',
  });
  expect(outputFolder).toBe('out');
});

test('matrix auto is the provider’s own, and a kubeconfig means provider kubeconfig', () => {
  expect(inputs({ matrix: 'auto' }).run).not.toHaveProperty('matrix');
  expect(inputs({ kubeconfig: 'config' }).run).toMatchObject({ provider: 'kubeconfig', kubeconfig: 'config' });
  expect(inputs({ kubeconfig: 'config', provider: 'kind' }).run.provider).toBe('kind');
});

test.each([
  ['repeats', '0', 'a whole number from 1 to 1000'],
  ['repeats', '1.5', 'a whole number from 1 to 1000'],
  ['repeats', '1e3', 'a whole number from 1 to 1000'],
  ['new-connection-interval', '-1', 'a whole number from 0 to 1000'],
  ['settle', '601', 'a number from 0 to 600'],
  ['workers', 'two', 'a whole number from 1 to 20'],
  ['scenarios', 'drain,drain', 'names separated by commas or line breaks, each once'],
  ['scenarios', ', ,', 'names separated by commas or line breaks, each once'],
  ['scenarios', 'a;b', 'names separated by commas or line breaks, each once'],
  ['provider', 'docker', 'one of auto, kind, kubeconfig, local'],
  ['fail-on', 'always', 'one of inconclusive, unexpected, never'],
  ['check', 'yes', 'one of true, false'],
  ['charts-branch', 'a..b', 'a branch name of letters, digits, dots, hyphens, underscores and slashes'],
  ['charts-branch', 'x.lock', 'a branch name of letters, digits, dots, hyphens, underscores and slashes'],
  ['artifact-name', '../up', '`drainwatch-` and at most 100 letters, digits, dots, hyphens and underscores'],
  ['node-address', 'localhost', 'an IP address'],
  ['namespace', 'Team', 'the name of a namespace: lower-case letters, digits and hyphens'],
  ['comment-key', 'a\nb', 'one line of 1 to 100 characters'],
  ['port', '65536', 'a whole number from 1 to 65535'],
])('input %s may not be %j', (name, text, allowed) => {
  expect(() => inputs({ [name]: text })).toThrow(
    expect.objectContaining({
      kind: 'input',
      facts: expect.objectContaining({ expected: `input \`${name}\` is ${allowed}` }) as unknown,
    }) as Error,
  );
});

test('every wrong input is named at once, and a secret is not repeated', () => {
  const secret = `token\n${'x'.repeat(50)}`;
  expect(() => inputs({ repeats: 'x', comment: 'y', 'github-token': secret })).toThrow(
    /`repeats` is "x".*`github-token` is another text, which is not shown.*`comment` is "y"|`repeats` is "x".*`comment` is "y".*not shown/,
  );
  expect(() => inputs({ 'github-token': secret })).not.toThrow(/xxxxx/);
});

test('report needs a folder, or the workflow whose artifact it may report', () => {
  expect(readReportInputs(from({ folder: 'a', workflow: '.github/workflows/a.yml' })).source).toEqual({
    kind: 'folder',
    path: 'a',
  });
  expect(readReportInputs(from({ workflow: '.github/workflows/a.yml' })).source).toEqual({
    ...{ kind: 'triggering-run', workflow: '.github/workflows/a.yml', events: ['pull_request'] },
  });
  expect(() => readReportInputs(from({}))).toThrow(/neither is given/);
  expect(() => readReportInputs(from({ workflow: 'a.yml' }))).toThrow(/the path of a workflow/);
});
