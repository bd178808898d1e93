import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeFailure, requestedWaitMs } from '../../../src/github/api-failure.ts';
import { oneLine } from '../../../src/github/api-result.ts';
import { artifactNameOf } from '../../../src/github/artifact-name.ts';
import { annotationBatches } from '../../../src/github/check-annotations.ts';
import { filesToPrune, stampedFolder } from '../../../src/github/image-budget.ts';

test('a reason is one line without control characters that begins no workflow command', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('::error::x', '\n\n::add-mask::x', 'x \u200B##[error]x')),
      (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(line).not.toMatch(/^\s*::|##\[/);
        expect(line.length).toBeLessThan(510);
      },
    ),
  );
});

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Sun, 29 Nov 2026 17:00:05 GMT' }, 5000],
  [{ 'retry-after': 'Sun, 29 Nov 2026 16:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.UTC(2026, 10, 29, 17, 0, 9) / 1000) }, 9000],
  [{ 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '9999999999' }, undefined],
  [{}, undefined],
])('%j asks for a wait of %s ms', (headers, expected) => {
  expect(requestedWaitMs(headers, Date.UTC(2026, 10, 29, 17))).toBe(expected);
});

test('a failure without an answer may have taken effect; one that was refused has not', () => {
  expect(judgeFailure(new TypeError('fetch failed'), 0)).toMatchObject({ transient: true, untouched: false });
  const refused = { status: 403, response: { headers: {}, data: { message: 'Must have admin rights' } } };
  expect(judgeFailure(refused, 0)).toMatchObject({ failure: { status: 'denied' }, transient: false, untouched: true });
});

test('the details of a refused content are told', () => {
  const data = { message: 'Validation Failed', errors: [{ resource: 'Issue', code: 'invalid' }, 'too long'] };
  expect(judgeFailure({ status: 422, response: { headers: {}, data } }, 0).failure).toEqual({
    status: 'invalid',
    reason: 'HTTP 422: Validation Failed; {"resource":"Issue","code":"invalid"}; too long',
  });
});

test.each([
  [{ mode: 'iptables', version: 'v1.34.0', attempt: 1 }, 'drainwatch-iptables-v1.34.0-attempt-1'],
  [{ mode: undefined, version: undefined, attempt: 3 }, 'drainwatch-attempt-3'],
  [{ mode: 'a/b:c\nd"e', version: 'v1 *', attempt: 1 }, 'drainwatch-a-b-c-d-e-v1-attempt-1'],
])('an artifact of %j is called %s', (identity, name) => {
  expect(artifactNameOf(identity)).toBe(name);
});

test('annotations are cut into requests of 50, in order', () => {
  const all = Array.from({ length: 101 }, (_, index) => ({
    path: 'a',
    start_line: 1,
    end_line: 1,
    annotation_level: 'notice' as const,
    message: String(index),
  }));
  expect(annotationBatches(all).map(({ length }) => length)).toEqual([50, 50, 1]);
  expect(annotationBatches(all).flat()).toEqual(all);
  expect(annotationBatches([])).toEqual([]);
});

test('folders of images sort by age, and their names need no escape', () => {
  const names = [1, 9, 10, 23].map((hour) => stampedFolder('pr 12/ä', new Date(Date.UTC(2026, 10, 29, hour))));
  expect(names.toSorted()).toEqual(names);
  expect(names[0]).toBe('20261129T010000Z-pr-12-');
});

test('the oldest folders are pruned first, whole, and only as far as the budget asks', () => {
  const files = [
    '20260103T000000Z-c/1',
    '20260101T000000Z-a/1',
    '20260101T000000Z-a/2',
    '20260102T000000Z-b/1',
    'mine/1',
  ].map((path) => ({ path, bytes: 10 }));
  const added = { files: 1, bytes: 10 };
  const roomy = { files: 100, bytes: 1000 };
  expect(filesToPrune(files, added, roomy)).toEqual([]);
  expect(filesToPrune(files, added, { ...roomy, files: 4 })).toEqual(['20260101T000000Z-a/1', '20260101T000000Z-a/2']);
  expect(filesToPrune(files, added, { ...roomy, bytes: 25 })).toEqual([
    '20260101T000000Z-a/1',
    '20260101T000000Z-a/2',
    '20260102T000000Z-b/1',
  ]);
  expect(filesToPrune(files, added, { files: 0, bytes: 0 })).not.toContain('mine/1');
});
