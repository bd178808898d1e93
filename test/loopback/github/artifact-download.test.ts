import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DownloadRequest } from '../../../src/github/artifact-download.ts';
import { openArchiveStore } from '../../fixtures/github/archive-store.ts';
import type { StoredArtifact } from '../../fixtures/github/artifacts.ts';
import { clientOf, patient } from '../../fixtures/github/client.ts';
import { FakeGitHub } from '../../fixtures/github/server.ts';
import { zipOf } from '../../fixtures/github/zip.ts';

const archive = zipOf([
  { name: 'trials/1.json', content: '{"n":1}' },
  { name: 'report.json', content: '{}' },
]);
const archives = new Map([
  ['/good.zip?sig=secret', archive],
  [
    '/hostile.zip',
    zipOf([
      { name: 'report.json', content: '{}' },
      { name: '../escaped', content: 'x' },
    ]),
  ],
]);

let github: FakeGitHub;
let store: Awaited<ReturnType<typeof openArchiveStore>>;
let home: string;
beforeEach(async () => {
  github = await FakeGitHub.start();
  store = await openArchiveStore(archives);
  home = mkdtempSync(join(tmpdir(), 'drainwatch-download-'));
});
afterEach(async () => {
  await github[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
  expect(github.faults).toEqual([]);
});

const add = (changes: Partial<StoredArtifact> = {}) =>
  github.artifacts.stored.push({
    id: 11,
    runId: 77,
    name: 'drainwatch-iptables',
    bytes: archive.length,
    location: `${store.url}/good.zip?sig=secret`,
    ...changes,
  });
const download = (changes: Partial<DownloadRequest> = {}, token = 'ghs_workflow') =>
  clientOf(github, token).downloadArtifact(
    { runId: 77, name: 'drainwatch-iptables', folder: join(home, 'results'), ...changes },
    patient(),
  );
const sha256 = `sha256:${createHash('sha256').update(archive).digest('hex')}`;

test("another run's artifact is unpacked, and the token stays with GitHub", async () => {
  add({ digest: sha256 });
  expect(await download()).toEqual({
    status: 'downloaded',
    id: 11,
    folder: join(home, 'results'),
    files: ['trials/1.json', 'report.json'],
    bytes: 9,
  });
  expect(readFileSync(join(home, 'results/trials/1.json'), 'utf8')).toBe('{"n":1}');
  expect(store.visits).toEqual([{ path: '/good.zip?sig=secret', authorization: undefined }]);
  expect(readdirSync(home)).toEqual(['results']);
});

test('of several artifacts of the name the newest is taken, and none of another run', async () => {
  add({ id: 9, location: `${store.url}/missing` });
  add({ id: 12 });
  add({ id: 10, location: `${store.url}/missing` });
  add({ id: 99, runId: 78, location: `${store.url}/missing` });
  expect(await download()).toMatchObject({ status: 'downloaded', id: 12 });
});

test('the names of a run’s artifacts are told, those that are this project’s and can be had', async () => {
  add({ id: 2, name: 'drainwatch-nftables-attempt-1' });
  add({ id: 1, name: 'drainwatch-iptables-attempt-1' });
  add({ id: 3, name: 'drainwatch-old', expired: true });
  add({ id: 4, name: 'coverage' });
  add({ id: 5, runId: 78, name: 'drainwatch-other-run' });
  expect(await clientOf(github, 'ghs_workflow').artifactNames(77, patient())).toEqual({
    status: 'ok',
    value: ['drainwatch-iptables-attempt-1', 'drainwatch-nftables-attempt-1'],
  });
});

test('an artifact that the run does not have, or that has expired, is `not-found`', async () => {
  expect(await download()).toMatchObject({ status: 'not-found' });
  add({ expired: true });
  expect(await download()).toMatchObject({ status: 'not-found', reason: expect.stringContaining('expired') as string });
});

test('a hostile archive is refused, and nothing of it is left', async () => {
  add({ location: `${store.url}/hostile.zip` });
  expect(await download()).toMatchObject({ status: 'refused' });
  expect(readdirSync(home)).toEqual([]);
});

test('an archive that is not the one that the API tells of is refused', async () => {
  add({ digest: `sha256:${'0'.repeat(64)}` });
  expect(await download()).toMatchObject({ status: 'refused', reason: expect.stringContaining('SHA-256') as string });
  expect(readdirSync(home)).toEqual([]);
});

test('an archive beyond the limit is refused by its announced size, and by its true one', async () => {
  add({ bytes: 10 ** 9 });
  expect(await download()).toMatchObject({ status: 'refused' });
  expect(store.visits).toEqual([]);
  github.artifacts.stored.length = 0;
  add({ bytes: 1 });
  expect(await download({ limits: { archiveBytes: 50 } })).toMatchObject({ status: 'refused' });
  expect(readdirSync(home)).toEqual([]);
});

test('a download that breaks off is tried again with a new address', async () => {
  add({ digest: sha256 });
  store.cuts.push(40, 80);
  expect(await download()).toMatchObject({ status: 'downloaded' });
  expect(github.operations().filter((name) => name === 'actions/download-artifact')).toHaveLength(3);
});

test('a store that always breaks off is `unavailable`, and its signed address is told to nobody', async () => {
  add();
  store.cuts.push(40, 40, 40);
  const result = await download();
  expect(result).toMatchObject({ status: 'unavailable' });
  expect(JSON.stringify(result)).not.toContain('secret');
  expect(readdirSync(home)).toEqual([]);
});

test('a store that refuses is `unavailable`', async () => {
  add({ location: `${store.url}/missing` });
  expect(await download()).toEqual({ status: 'unavailable', reason: 'the artifact store answered HTTP 403' });
});

test('a folder that holds something already is left as it is', async () => {
  add();
  mkdirSync(join(home, 'results/mine'), { recursive: true });
  await expect(download()).rejects.toThrow('ENOTEMPTY');
  expect(readdirSync(join(home, 'results'))).toEqual(['mine']);
});
