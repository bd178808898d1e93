import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findKind, type KindLookup, obtainKind } from '../../../src/providers/kind/kind-binary.ts';

const good = Buffer.from('#!/bin/sh\necho kind\n'.padEnd(200_000, '#'));
const sha256 = createHash('sha256').update(good).digest('hex');

let folder: string;
let server: Server;
let requests: string[];
let answer: RequestListener;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kind-cache-'));
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const lookup = (): KindLookup => ({
  environment: {},
  cacheFolder: join(folder, 'cache'),
  architecture: 'x64',
  downloads: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  binaries: { x64: { file: 'kind-linux-amd64', sha256 } },
});
const obtain = (signal = new AbortController().signal) => obtainKind(lookup(), () => undefined, signal);
const kept = () => readdir(join(folder, 'cache'));
const whole: RequestListener = (_, response) => response.setHeader('content-length', good.length).end(good);

test('a good download is executable, and is not downloaded again', async () => {
  answer = whole;
  const path = await obtain();
  expect(await readFile(path)).toEqual(good);
  expect((await stat(path)).mode & 0o777).toBe(0o755);
  expect(await obtain()).toBe(path);
  expect(requests).toEqual(['/v0.33.0/kind-linux-amd64']);
  expect(await kept()).toHaveLength(1);
});

test('a download with another checksum is refused, and nothing of it is kept', async () => {
  answer = (_, response) => response.end(Buffer.concat([good.subarray(0, -1), Buffer.from('!')]));
  await expect(obtain()).rejects.toMatchObject({
    kind: 'requirement',
    message: expect.stringContaining(sha256) as string,
  });
  expect(await kept()).toEqual([]);
  expect(requests).toHaveLength(1);
});

test('a download that ends early is refused, whether its length was announced or not', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': good.length }).write(good.subarray(0, 1000));
    setTimeout(() => response.destroy(), 20);
  };
  await expect(obtain()).rejects.toMatchObject({ kind: 'requirement' });
  expect(await kept()).toEqual([]);
  answer = (_, response) => response.end(good.subarray(0, 1000));
  await expect(obtain()).rejects.toMatchObject({
    kind: 'requirement',
    facts: { found: expect.stringMatching(/^it has /) as string },
  });
  expect(await kept()).toEqual([]);
});

test('a file that is not there is asked for once, a server that fails is asked again', async () => {
  answer = (_, response) => response.writeHead(404).end();
  await expect(obtain()).rejects.toThrow(/HTTP 404/);
  expect(requests).toHaveLength(1);
  answer = (request, response) => {
    if (requests.length < 3) response.writeHead(503).end();
    else whole(request, response);
  };
  expect(await obtain()).toMatch(/kind-v0\.33\.0-x64$/);
  expect(requests).toHaveLength(3);
});

test('an abort in the middle rejects with its reason and keeps nothing', async () => {
  const controller = new AbortController();
  const reason = new Error('interrupted');
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': good.length }).write(good.subarray(0, 1000));
    setTimeout(() => {
      controller.abort(reason);
    }, 50);
  };
  await expect(obtain(controller.signal)).rejects.toBe(reason);
  expect(await kept()).toEqual([]);
  expect(requests).toHaveLength(1);
});

test('a cached file that is no longer what it was is downloaded anew', async () => {
  answer = whole;
  const path = await obtain();
  await writeFile(path, 'something else');
  await obtain();
  expect(await readFile(path)).toEqual(good);
});

test('a kind that is here is used: the named one, else that of PATH, else that of the testbed', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  for (const path of [first, second]) {
    await mkdir(path);
    await writeFile(join(path, 'kind'), '', { mode: 0o755 });
  }
  const environment = { PATH: `/nowhere:${first}`, TESTBED_BIN: second };
  expect(await findKind({ ...lookup(), environment })).toBe(join(first, 'kind'));
  expect(await findKind({ ...lookup(), environment: { TESTBED_BIN: second } })).toBe(join(second, 'kind'));
  expect(await findKind({ ...lookup(), environment, kindPath: join(second, 'kind') })).toBe(join(second, 'kind'));
  expect(await findKind({ ...lookup(), environment: {} })).toBeUndefined();
});

test("a named path that is not executable is the caller's mistake, and nothing else is used", async () => {
  const kindPath = join(folder, 'kind');
  await writeFile(kindPath, '', { mode: 0o644 });
  await expect(findKind({ ...lookup(), kindPath })).rejects.toMatchObject({ kind: 'input' });
  expect(requests).toEqual([]);
});
