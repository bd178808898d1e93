import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unzip } from '../../../src/github/unzip.ts';
import { patient } from '../../fixtures/github/client.ts';
import { deflatedZeros, zipOf, type ZipEntry } from '../../fixtures/github/zip.ts';

let outside: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'drainwatch-unzip-'));
});
afterEach(() => {
  rmSync(outside, { recursive: true, force: true });
});

const limits = { entries: 100, bytes: 10 * 1024 * 1024 };
const unpack = (archive: Buffer, some = limits) => {
  const path = join(outside, 'archive.zip');
  writeFileSync(path, archive);
  return unzip(path, join(outside, 'content'), some, patient());
};
const unpackEntries = (...entries: readonly ZipEntry[]) => unpack(zipOf(entries));
/** All there is beside the archive. */
const written = () =>
  readdirSync(outside, { recursive: true, encoding: 'utf8' })
    .filter((path) => path !== 'archive.zip')
    .toSorted();

test('an honest archive is unpacked, folders and empty files included', async () => {
  const result = await unpackEntries(
    { name: 'trials/', mode: 0o040755 },
    { name: 'trials/1.json', content: '{"n":1}' },
    { name: 'report.html', content: '<p>' },
    { name: 'empty', content: '' },
    { name: 'no-unix-mode', content: 'x', mode: 0 },
  );
  expect(result).toEqual({
    status: 'unpacked',
    files: ['trials/1.json', 'report.html', 'empty', 'no-unix-mode'],
    bytes: 11,
  });
  expect(readFileSync(join(outside, 'content/trials/1.json'), 'utf8')).toBe('{"n":1}');
});

test('no unpacked file can be run, whatever the archive says', async () => {
  await unpackEntries({ name: 'run.sh', content: '#!/bin/sh', mode: 0o104777 });
  expect(statSync(join(outside, 'content/run.sh')).mode & 0o7111).toBe(0);
});

const good: ZipEntry = { name: 'report.json', content: '{}' };
test.each<[string, RegExp, readonly ZipEntry[]]>([
  ['a path upwards', /relative path|leads out/, [good, { name: '../escaped' }]],
  ['a path upwards from within', /relative path|leads out/, [good, { name: 'a/../../escaped' }]],
  ['an absolute path', /absolute/, [good, { name: '/tmp/drainwatch-escaped' }]],
  ['a drive', /absolute/, [good, { name: 'C:/escaped' }]],
  ['backslashes', /invalid characters/, [good, { name: '..\\..\\escaped' }]],
  ['a dot as a folder', /leads out/, [good, { name: './a' }]],
  ['an empty folder name', /leads out/, [good, { name: 'a//b' }]],
  ['a symbolic link', /symbolic link/, [{ name: 'link', content: '/etc', mode: 0o120777 }, { name: 'link/passwd' }]],
  ['a device', /special file/, [good, { name: 'null', mode: 0o020666 }]],
  ['a pipe', /special file/, [good, { name: 'fifo', mode: 0o010644 }]],
  ['the same name twice', /collides/, [good, good]],
  ['names that differ in case only', /collides/, [good, { name: 'REPORT.json' }]],
  ['names that differ in composition only', /collides/, [{ name: 'é' }, { name: 'e\u0301' }]],
  ['a file that is also a folder', /collides/, [{ name: 'a' }, { name: 'a/b' }]],
  ['a folder that is also a file', /collides/, [{ name: 'a/b' }, { name: 'a' }]],
  ['a line break in a name', /forbidden character/, [good, { name: 'a\n::error::owned' }]],
  ['a bidirectional override in a name', /forbidden character/, [good, { name: 'a\u202Egnp.exe' }]],
  ['a NUL in a name', /forbidden character/, [good, { name: 'a\0b' }]],
  ['too long a name', /too long/, [good, { name: 'n'.repeat(256) }]],
  ['too long a path', /too long/, [good, { name: 'deep/'.repeat(250) + 'x' }]],
  ['an encrypted entry', /encrypted/, [good, { name: 'a', claims: { flags: 0x0801 } }]],
  ['an unknown packing', /unknown way/, [good, { name: 'a', claims: { method: 93 } }]],
  ['a folder with content', /folder/, [good, { name: 'a/', content: 'x', mode: 0 }]],
])('an archive with %s is refused whole: not even its good entries are written', async (_what, reason, entries) => {
  expect(await unpack(zipOf(entries))).toEqual({ status: 'refused', reason: expect.stringMatching(reason) as string });
  expect(written()).toEqual([]);
  expect(existsSync('/tmp/drainwatch-escaped')).toBe(false);
});

test('a refusal is one line, whatever the names are', async () => {
  const result = await unpackEntries({ name: 'a\n::set-output name=x::y\u001B[31m' });
  expect(result.status === 'refused' ? result.reason : result).toMatch(/^the archive is refused: [^\p{Cc}]*$/u);
});

test('10 GB that are honestly declared are refused before anything is written', async () => {
  const tenGigabytes = 10 * 1024 ** 3;
  const archive = zipOf([
    good,
    { name: 'bomb', content: deflatedZeros(tenGigabytes), deflated: true, claims: { uncompressedSize: tenGigabytes } },
  ]);
  expect(archive.length).toBeLessThan(16 * 1024 * 1024);
  expect(await unpack(archive)).toEqual({
    status: 'refused',
    reason: expect.stringContaining('unpacks to more than') as string,
  });
  expect(written()).toEqual([]);
});

test('10 GB that are declared as 1000 bytes are given up within the declared size', async () => {
  const archive = zipOf([
    { name: 'bomb', content: deflatedZeros(10 * 1024 ** 3), deflated: true, claims: { uncompressedSize: 1000 } },
  ]);
  expect(await unpack(archive)).toEqual({
    status: 'refused',
    reason: expect.stringContaining('too many bytes') as string,
  });
  const size = existsSync(join(outside, 'content/bomb')) ? statSync(join(outside, 'content/bomb')).size : 0;
  expect(size).toBeLessThanOrEqual(1000);
});

test('many entries that are small each are counted together', async () => {
  const entries = Array.from({ length: 90 }, (_, index) => ({ name: `f${index}`, content: Buffer.alloc(200_000) }));
  expect(await unpackEntries(...entries)).toMatchObject({ status: 'refused' });
  expect(written()).toEqual([]);
});

test('100,000 entries are refused by their number', async () => {
  const archive = zipOf(Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}` })));
  const result = await unpack(archive);
  expect(result).toEqual({ status: 'refused', reason: expect.stringContaining('100000 entries') as string });
  expect(written()).toEqual([]);
});

test('a directory that is cut short, or counts more than there is, is refused', async () => {
  const archive = zipOf([good, { name: 'b', content: 'x' }]);
  expect(await unpack(archive.subarray(0, archive.length - 30))).toMatchObject({ status: 'refused' });
  expect(await unpack(zipOf([good], 50))).toMatchObject({ status: 'refused' });
  expect(await unpack(Buffer.from('<html>not a zip</html>'))).toMatchObject({ status: 'refused' });
  expect(await unpack(Buffer.alloc(0))).toMatchObject({ status: 'refused' });
});

test('content that does not match its checksum or its declared size is refused', async () => {
  expect(await unpackEntries({ name: 'a', content: 'words', claims: { crc32: 1 } })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('checksum') as string,
  });
  rmSync(join(outside, 'content'), { recursive: true });
  expect(await unpackEntries({ name: 'a', content: 'words', claims: { uncompressedSize: 50 } })).toMatchObject({
    status: 'refused',
  });
  rmSync(join(outside, 'content'), { recursive: true });
  const damaged = deflateRawSync(Buffer.from('words'.repeat(100))).subarray(0, 5);
  expect(
    await unpackEntries({ name: 'a', content: damaged, deflated: true, claims: { uncompressedSize: 500 } }),
  ).toMatchObject({ status: 'refused' });
});

test('a failure of this machine is thrown, not blamed on the archive', async () => {
  const path = join(outside, 'archive.zip');
  writeFileSync(path, zipOf([good]));
  await expect(unzip(path, join(outside, 'missing', 'content'), limits, patient())).rejects.toThrow('ENOENT');
});

test('an aborted signal ends it with its own reason', async () => {
  const path = join(outside, 'archive.zip');
  writeFileSync(path, zipOf([good]));
  const stop = new Error('cancelled');
  await expect(unzip(path, join(outside, 'content'), limits, AbortSignal.abort(stop))).rejects.toBe(stop);
});
