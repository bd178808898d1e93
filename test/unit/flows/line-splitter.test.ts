import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from '../../../src/flows/line-splitter.ts';

const line = fc.string({ unit: fc.constantFrom('p', '7', ' ', 'ÿ'), maxLength: 511 });

/** Cuts `bytes` at each of `cuts`, taken modulo its length. */
function cutAt(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

test('lines come out whole and in order, however the stream was cut', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), (contents, cuts) => {
      const lines = contents.map((content) => `${content}\n`);
      const splitter = new LineSplitter();
      const split = cutAt(Buffer.from(lines.join(''), 'latin1'), cuts).map((chunk) => splitter.push(chunk));
      expect(split.flatMap((part) => part.lines)).toEqual(lines);
      expect(split.some((part) => part.overlong)).toBe(false);
    }),
  );
});

test('a line of 512 bytes with its newline is a line, one of 513 is overlong', () => {
  const longest = `${'x'.repeat(511)}\n`;
  expect(new LineSplitter().push(Buffer.from(longest))).toEqual({ lines: [longest], overlong: false });
  expect(new LineSplitter().push(Buffer.from(`x${longest}`))).toEqual({ lines: [], overlong: true });
});

test('a line is overlong before its newline comes, and the lines before it count', () => {
  const splitter = new LineSplitter();
  expect(splitter.push(Buffer.from(`whole\n${'x'.repeat(511)}`))).toEqual({ lines: ['whole\n'], overlong: false });
  expect(splitter.push(Buffer.from('x'))).toEqual({ lines: [], overlong: true });
});
