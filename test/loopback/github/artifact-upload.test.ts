import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { uploadArtifact, type UploadRequest } from '../../../src/github/artifact-upload.ts';
import { azuriteMissing, startAzurite } from '../../fixtures/github/azurite.ts';
import { clientOf, patient } from '../../fixtures/github/client.ts';
import { runtimeToken, startResultsService } from '../../fixtures/github/results-service.ts';
import { FakeGitHub } from '../../fixtures/github/server.ts';

let results: Awaited<ReturnType<typeof startResultsService>>;
let uploadUrl: (name: string) => string = () => 'http://127.0.0.1:1/nowhere';
let home: string;
beforeEach(async () => {
  results = await startResultsService((name) => uploadUrl(name));
  home = mkdtempSync(join(tmpdir(), 'drainwatch-upload-'));
  vi.stubEnv('ACTIONS_RUNTIME_TOKEN', runtimeToken);
  vi.stubEnv('ACTIONS_RESULTS_URL', results.url);
  vi.stubEnv('GITHUB_SERVER_URL', 'https://github.com');
  mkdirSync(join(home, 'results/trials'), { recursive: true });
  writeFileSync(join(home, 'results/report.json'), '{}');
  writeFileSync(join(home, 'results/trials/1.json'), '{"n":1}');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await results[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
  expect(results.problems).toEqual([]);
});

const upload = (changes: Partial<UploadRequest> = {}, signal = patient()) =>
  uploadArtifact({ folder: join(home, 'results'), name: 'drainwatch-iptables', ...changes }, signal);

test('outside a runner it is `unavailable`, and says what is not set', async () => {
  vi.stubEnv('ACTIONS_RUNTIME_TOKEN', '');
  expect(await upload()).toMatchObject({
    status: 'unavailable',
    reason: expect.stringContaining('ACTIONS_RUNTIME_TOKEN not set') as string,
  });
});

test('a folder without files is told before anything is sent', async () => {
  mkdirSync(join(home, 'empty/below'), { recursive: true });
  expect(await upload({ folder: join(home, 'empty') })).toMatchObject({ status: 'invalid' });
  expect(results.asked).toEqual([]);
});

test('a taken name is followed by suffixes, and told when all of them are taken', async () => {
  for (const suffix of ['', '-2', '-3', '-4', '-5']) results.taken.add(`drainwatch-iptables${suffix}`);
  expect(await upload()).toMatchObject({ status: 'conflict' });
  expect(results.asked).toEqual(['', '-2', '-3', '-4', '-5'].map((suffix) => `drainwatch-iptables${suffix}`));
});

test('a token without the right is `denied`', async () => {
  results.upsets.push({ status: 403, code: 'permission_denied', msg: 'not yours' });
  expect(await upload()).toMatchObject({ status: 'denied', reason: expect.stringContaining('not yours') as string });
});

test('a used-up storage quota is `denied`', async () => {
  results.upsets.push({ status: 403, code: 'resource_exhausted', msg: 'insufficient usage to create artifact' });
  expect(await upload()).toMatchObject({ status: 'denied', reason: expect.stringContaining('quota') as string });
});

test('a name that the service does not take is `invalid`', async () => {
  expect(await upload({ name: 'a/b' })).toMatchObject({ status: 'invalid' });
});

test('the wait for a service that does not answer ends with the time limit, or with the signal', async () => {
  const later = { status: 503, code: 'unavailable', msg: 'later' };
  results.upsets.push(later);
  expect(await upload({ timeoutMs: 300 })).toMatchObject({ status: 'unavailable' });
  results.upsets.push(later);
  const stop = new Error('cancelled');
  const controller = new AbortController();
  setTimeout(() => {
    controller.abort(stop);
  }, 200);
  await expect(upload({}, controller.signal)).rejects.toBe(stop);
});

const without = azuriteMissing === undefined ? '' : ` (skipped: ${azuriteMissing}; see scripts/install-azurite.sh)`;
describe.skipIf(azuriteMissing !== undefined)(`against Azure's own blob emulator${without}`, () => {
  let store: Awaited<ReturnType<typeof startAzurite>>;
  beforeAll(async () => {
    store = await startAzurite();
    uploadUrl = (name) => store.signedUrl(name, 'write');
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
  });

  test('a folder goes up and comes down in another run, byte for byte', async () => {
    const random = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * index * 31) % 251));
    writeFileSync(join(home, 'results/chart.png'), random);
    const uploaded = await upload();
    if (uploaded.status !== 'uploaded') throw new Error(JSON.stringify(uploaded));
    const archive = await store.content('drainwatch-iptables');
    const sha256 = createHash('sha256').update(archive).digest('hex');
    expect(uploaded).toEqual({
      status: 'uploaded',
      id: 4001,
      name: 'drainwatch-iptables',
      bytes: archive.length,
      sha256,
      files: 3,
    });
    expect(results.finished).toEqual([
      { name: 'drainwatch-iptables', bytes: archive.length, hash: `sha256:${sha256}` },
    ]);

    await using github = await FakeGitHub.start();
    github.artifacts.stored.push({
      id: uploaded.id,
      runId: 77,
      name: uploaded.name,
      bytes: uploaded.bytes,
      digest: `sha256:${uploaded.sha256}`,
      location: store.signedUrl(uploaded.name, 'read'),
    });
    const folder = join(home, 'down');
    const request = { runId: 77, name: 'drainwatch-iptables', folder };
    expect(await clientOf(github, 'ghs_workflow').downloadArtifact(request, patient())).toMatchObject({
      status: 'downloaded',
    });
    expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'chart.png',
      'report.json',
      'trials',
      'trials/1.json',
    ]);
    expect(readFileSync(join(folder, 'chart.png'))).toEqual(random);
    expect(github.faults).toEqual([]);
  });

  test('an upload under a taken name tells the name that was free', async () => {
    results.taken.add('drainwatch-nftables');
    expect(await upload({ name: 'drainwatch-nftables' })).toMatchObject({
      status: 'uploaded',
      name: 'drainwatch-nftables-2',
    });
  });

  test('a symbolic link stays behind, and with it what it leads to', async () => {
    writeFileSync(join(home, 'secret'), 'runner’s own');
    symlinkSync(join(home, 'secret'), join(home, 'results/linked.json'));
    symlinkSync(home, join(home, 'results/linked-folder'));
    expect(await upload({ name: 'drainwatch-links' })).toMatchObject({ status: 'uploaded', files: 2 });
  });
});
