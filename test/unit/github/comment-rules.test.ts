import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markerOf, readMark, type CommentMark } from '../../../src/github/comment-marker.ts';
import { decideComment } from '../../../src/github/comment-policy.ts';
import { commentMarkerReserve } from '../../../src/github/comment.ts';

const mark: CommentMark = { key: 'standard', state: 'clear', digest: 'f'.repeat(32), sequence: 7 };
const existing = (changes: Partial<CommentMark> = {}) => ({ kind: 'mark', mark: { ...mark, ...changes } }) as const;
const wish = { mode: 'always', state: 'clear', digest: mark.digest, sequence: 7 } as const;

test('a marker tells what was put into it, whatever the key is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.nat(),
      fc.constantFrom('alarm', 'clear'),
      (key, sequence, state) => {
        const written = { ...mark, key, sequence, state };
        expect(readMark(`${markerOf(written)}\nbody`)).toEqual({ kind: 'mark', mark: written });
      },
    ),
  );
});

test('a marker is one HTML comment that ends where it should', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (key) => {
      expect(markerOf({ ...mark, key })).toMatch(/^<!-- [^>\r\n]* -->$/);
    }),
  );
});

test('a usual marker fits into what is kept free for it', () => {
  const longest = { ...mark, key: 'k'.repeat(200), sequence: Number.MAX_SAFE_INTEGER };
  expect(markerOf(longest).length + 1).toBeLessThanOrEqual(commentMarkerReserve);
});

test('any other text holds no marker', () => {
  fc.assert(
    fc.property(fc.string(), (body) => {
      expect(readMark(body)).toEqual({ kind: 'none' });
    }),
  );
  expect(readMark(`text\n${markerOf(mark)}`)).toEqual({ kind: 'none' });
  expect(readMark(` ${markerOf(mark)}`)).toEqual({ kind: 'none' });
});

test('a later version’s comment is known as this key’s, and not read further', () => {
  expect(readMark('<!-- drainwatch-comment v2 key=standard weather=fine -->\nbody')).toEqual({
    kind: 'foreign-version',
    key: 'standard',
  });
});

test.each([
  ['on-change', existing(), 'leave'],
  ['on-change', existing({ digest: 'other' }), 'write'],
  ['on-change', existing({ state: 'alarm' }), 'write'],
  ['on-change', { kind: 'none' }, 'write'],
  ['on-change', { kind: 'foreign-version', key: 'standard' }, 'write'],
  ['on-regression', { kind: 'none' }, 'leave'],
  ['on-regression', existing(), 'leave'],
  ['on-regression', existing({ state: 'alarm' }), 'write'],
  ['on-regression', { kind: 'foreign-version', key: 'standard' }, 'write'],
  ['always', existing(), 'write'],
  ['always', { kind: 'none' }, 'write'],
] as const)('without a regression, %s over %j: %s', (mode, before, expected) => {
  expect(decideComment({ ...wish, mode }, before).kind).toBe(expected);
});

test.each(['always', 'on-change', 'on-regression'] as const)('a regression is told in mode %s', (mode) => {
  expect(decideComment({ ...wish, mode, state: 'alarm' }, existing())).toEqual({ kind: 'write' });
  expect(decideComment({ ...wish, mode, state: 'alarm' }, { kind: 'none' })).toEqual({ kind: 'write' });
});

test('only a strictly newer run keeps this one from writing', () => {
  expect(decideComment(wish, existing({ sequence: 8 })).kind).toBe('leave');
  expect(decideComment(wish, existing({ sequence: 7 })).kind).toBe('write');
});
