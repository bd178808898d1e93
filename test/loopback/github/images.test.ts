import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImagesRequest } from '../../../src/github/images.ts';
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

const png = (tag: string) => ({
  name: `${tag}.png`,
  content: Buffer.from([0x89, 0x50, 0x4e, 0x47, ...Buffer.from(tag)]),
});
const at = (hour: number) => new Date(Date.UTC(2026, 10, 29, hour, 24, 33));
const publish = (changes: Partial<ImagesRequest> = {}, token = 'ghs_workflow') =>
  clientOf(github, token).publishImages(
    {
      branch: 'drainwatch-images',
      folder: 'pr-12',
      files: [png('window'), png('ends')],
      message: 'Charts of run 77',
      now: at(17),
      ...changes,
    },
    patient(),
  );
const tip = () => github.git.refs.get('heads/drainwatch-images') ?? '';
const paths = (commit = tip()) => [...github.git.filesOf(commit).keys()].toSorted();

test('the first images make a branch without history, and their addresses name the commit', async () => {
  const result = await publish();
  expect(github.git.commits.get(tip())?.parents).toEqual([]);
  expect(result).toMatchObject({
    status: 'published',
    commit: tip(),
    urls: new Map([
      ['window.png', `https://github.com/octocat/hello/raw/${tip()}/20261129T172433Z-pr-12/window.png`],
      ['ends.png', `https://github.com/octocat/hello/raw/${tip()}/20261129T172433Z-pr-12/ends.png`],
    ]),
  });
  expect(github.git.filesOf(tip()).get('20261129T172433Z-pr-12/window.png')).toEqual(png('window').content);
});

test('later images join the earlier ones in a commit of their own', async () => {
  await publish();
  const first = tip();
  await publish({ now: at(18), files: [png('window')] });
  expect(github.git.commits.get(tip())?.parents).toEqual([first]);
  expect(paths()).toEqual([
    '.drainwatch-images',
    '20261129T172433Z-pr-12/ends.png',
    '20261129T172433Z-pr-12/window.png',
    '20261129T182433Z-pr-12/window.png',
  ]);
});

test('beyond the budget the oldest folders leave the tip; their addresses stay valid', async () => {
  await publish({ now: at(10) });
  const first = tip();
  await publish({ now: at(11) });
  expect(await publish({ now: at(12), budget: { files: 4, bytes: 1000 } })).toMatchObject({ pruned: 2 });
  expect(paths().map((path) => path.slice(0, 11))).toEqual([
    '.drainwatch',
    ...Array.from({ length: 2 }, () => '20261129T11'),
    ...Array.from({ length: 2 }, () => '20261129T12'),
  ]);
  expect(paths(first)).toContain('20261129T102433Z-pr-12/window.png');
});

test('writers that start together all win in the end, and none loses its images', async () => {
  await publish({ now: at(1) });
  const results = await Promise.all(
    Array.from({ length: 5 }, (_, index) => publish({ now: at(index + 2), files: [png(`writer${index}`)] })),
  );
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'published'));
  for (let index = 0; index < 5; index++) {
    expect(paths()).toContainEqual(expect.stringContaining(`writer${index}.png`));
  }
});

test('two writers that both make the branch both win', async () => {
  const results = await Promise.all([publish({ folder: 'a' }), publish({ folder: 'b' })]);
  expect(results.map(({ status }) => status)).toEqual(['published', 'published']);
  expect(paths()).toHaveLength(5);
});

test('a move of the branch that is carried out but not answered is no lost race', async () => {
  await publish();
  github.upset('git/update-ref', { kind: 'answer-lost', reply: problem(502, 'Bad Gateway') });
  await publish({ now: at(18) });
  expect(github.git.commits.get(tip())?.parents).toHaveLength(1);
  expect(paths()).toHaveLength(5);
});

test('a branch that holds anything else is not written to', async () => {
  github.git.refs.set('heads/drainwatch-images', github.git.commitFiles({ 'src/main.ts': 'sources' }));
  expect(await publish()).toMatchObject({
    status: 'invalid',
    reason: expect.stringContaining('not written to') as string,
  });
  expect(paths()).toEqual(['src/main.ts']);
});

test('files that others put into the branch are never pruned', async () => {
  github.git.refs.set(
    'heads/drainwatch-images',
    github.git.commitFiles({ '.drainwatch-images': '', 'README.md': 'x' }),
  );
  await publish({ budget: { files: 0, bytes: 0 } });
  expect(paths()).toContain('README.md');
});

test('without contents: write it is `denied`, and there is no branch', async () => {
  expect(await publish({}, 'ghs_fork')).toEqual({
    status: 'denied',
    reason: 'HTTP 403: Resource not accessible by integration',
  });
  expect(github.git.refs.size).toBe(0);
});

test("a repository's rule against the write is `invalid` at once, not a race", async () => {
  github.git.rule = problem(422, 'Repository rule violations found');
  expect(await publish()).toMatchObject({
    status: 'invalid',
    reason: expect.stringContaining('rule violations') as string,
  });
  expect(github.operations().filter((name) => name === 'git/create-ref')).toHaveLength(1);
});

test.each(['../window.png', 'a/b.png', '.hidden', 'x\ny.png', ''])('the image name %j is refused', async (name) => {
  expect(await publish({ files: [{ name, content: png('x').content }] })).toMatchObject({ status: 'invalid' });
  expect(github.requests).toEqual([]);
});

test('an aborted signal ends the wait for the next attempt', async () => {
  await publish();
  const lost = { kind: 'answer', reply: problem(422, 'Update is not a fast forward') } as const;
  github.upset('git/update-ref', ...Array.from({ length: 20 }, () => lost));
  const controller = new AbortController();
  const stop = new Error('cancelled');
  const timings = { requestTimeoutMs: 2000, retries: 1, firstPauseMs: 10_000, longestWaitMs: 10_000 };
  const waiting = clientOf(github, 'ghs_workflow', { timings }).publishImages(
    { branch: 'drainwatch-images', folder: 'x', files: [png('x')], message: 'x' },
    controller.signal,
  );
  await delay(300);
  controller.abort(stop);
  await expect(waiting).rejects.toBe(stop);
});
