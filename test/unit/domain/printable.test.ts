import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../../src/domain/printable.ts';

test.each([
  ['an ANSI escape', 'a\u001b[31mb', 'a\\u{1b}[31mb'],
  ['a bell', 'a\u0007b', 'a\\u{7}b'],
  ['a C1 control sequence introducer', 'a\u009b31mb', 'a\\u{9b}31mb'],
  ['a direction override', 'a\u202eb', 'a\\u{202e}b'],
  ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
  ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
])('%s is written out', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('line breaks and tabs of every kind become one blank', () => {
  expect(printable(' a\r\n\t b\u2028c\u0085d\n')).toBe('a b c d');
});

test('what only shows stays as it is', () => {
  const text = 'SIGTERM → ready = false | 25.04 s (25.03–25.11) − ✓ 日本 🙂';
  expect(printable(text)).toBe(text);
});

test('no text keeps a character that a terminal acts on', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
  );
});

test('a text that was made printable once stays the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(printable(text))).toBe(printable(text));
    }),
  );
});
