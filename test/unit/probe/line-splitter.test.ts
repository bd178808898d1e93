import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from '../../../probe/src/line-splitter.ts';
import { maxLineBytes } from '../../../probe/src/protocol.ts';

const split = (...chunks: string[]) => {
  const splitter = new LineSplitter();
  return chunks.map((chunk) => splitter.push(Buffer.from(chunk)));
};

/** A stream, cut into chunks at any places. */
const cutStream = fc
  .array(fc.stringMatching(/^[ -~]{0,40}$/), { maxLength: 8 })
  .map((contents) => contents.map((content) => `${content}\n`))
  .chain((lines) => {
    const stream = lines.join('');
    const cuts = fc.array(fc.nat({ max: stream.length }), { maxLength: 12 });
    return cuts.map((places) => {
      const bounds = [0, ...places, stream.length].toSorted((a, b) => a - b);
      return { lines, chunks: bounds.slice(1).map((end, index) => stream.slice(bounds[index], end)) };
    });
  });

test('the lines of a stream do not depend on how it was cut into chunks', () => {
  fc.assert(
    fc.property(cutStream, ({ lines, chunks }) => {
      const pieces = split(...chunks);
      expect(pieces.flatMap((piece) => piece.lines)).toEqual(lines);
      expect(pieces.every((piece) => !piece.overlong)).toBe(true);
    }),
  );
});

test('a line is given when its newline arrives, not before', () => {
  expect(split('pi', 'ng 1', '\npi')).toEqual([
    { lines: [], overlong: false },
    { lines: [], overlong: false },
    { lines: ['ping 1\n'], overlong: false },
  ]);
});

test('a line of exactly the limit, newline counted, is a line', () => {
  const longest = 'x'.repeat(maxLineBytes - 1);
  expect(split(`${longest}\n`)).toEqual([{ lines: [`${longest}\n`], overlong: false }]);
  expect(split(longest)).toEqual([{ lines: [], overlong: false }]);
});

test('one byte more is overlong, whether or not its newline has arrived', () => {
  const tooLong = 'x'.repeat(maxLineBytes);
  expect(split(`${tooLong}\n`)).toEqual([{ lines: [], overlong: true }]);
  expect(split(tooLong)).toEqual([{ lines: [], overlong: true }]);
  expect(split(tooLong.slice(1), 'x').at(-1)).toEqual({ lines: [], overlong: true });
});

test('bytes are counted, not characters', () => {
  expect(split('é'.repeat(maxLineBytes / 2))).toEqual([{ lines: [], overlong: true }]);
});

test('lines before an overlong one are given, lines after it are not', () => {
  expect(split(`ping 1\n${'x'.repeat(maxLineBytes)}\nping 2\n`)).toEqual([{ lines: ['ping 1\n'], overlong: true }]);
});
