import { join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planUnzip, type ZipEntryFacts } from '../../../src/github/zip-entry.ts';

const limits = { entries: 50, bytes: 1000 };
const entry = (fileName: string, changes: Partial<ZipEntryFacts> = {}): ZipEntryFacts => ({
  fileName,
  uncompressedSize: 1,
  externalFileAttributes: (0o100644 << 16) >>> 0,
  readable: true,
  ...changes,
});
const hostilePath = fc
  .array(fc.constantFrom('..', '.', '', 'a', 'B', 'con', 'é', '~', '/', '\\', 'C:', '\0', '\n', '\u202E', '%2e%2e'), {
    maxLength: 6,
  })
  .map((segments) => segments.join('/'));

test('whatever is accepted lies below the folder, and no two files share a path', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(hostilePath, fc.string()), { maxLength: 5 }), (names) => {
      const plan = planUnzip(
        names.map((name) => entry(name)),
        limits,
      );
      if (plan.status === 'refused') return;
      const targets = plan.files.map(({ path }) => join('/somewhere/results', path));
      for (const target of targets) {
        const inside = relative('/somewhere/results', target);
        expect(inside).not.toBe('');
        expect(inside.split(sep)).not.toContain('..');
        expect(target).toBe(`/somewhere/results/${inside}`);
      }
      expect(new Set(targets.map((target) => target.toLowerCase())).size).toBe(targets.length);
    }),
    { numRuns: 2000 },
  );
});

test('the limits are of the whole archive', () => {
  const many = Array.from({ length: 51 }, (_, index) => entry(`f${index}`));
  expect(planUnzip(many.slice(1), limits).status).toBe('accepted');
  expect(planUnzip(many, limits).status).toBe('refused');
  expect(
    planUnzip([entry('a', { uncompressedSize: 600 }), entry('b', { uncompressedSize: 400 })], limits),
  ).toMatchObject({
    status: 'accepted',
    bytes: 1000,
  });
  expect(planUnzip([entry('a', { uncompressedSize: 600 }), entry('b', { uncompressedSize: 401 })], limits).status).toBe(
    'refused',
  );
});

test('a folder may be named before, after, and for each of its files', () => {
  const folder = (name: string) => entry(name, { uncompressedSize: 0, externalFileAttributes: (0o040755 << 16) >>> 0 });
  const plan = planUnzip([folder('a/'), entry('a/x'), folder('a/'), entry('b/y'), folder('b/')], limits);
  expect(plan).toMatchObject({ status: 'accepted', files: [{ path: 'a/x' }, { path: 'b/y' }] });
});
