import { expect, test } from 'vitest';
import { aaBlocks } from '../../../src/assembly/aa-blocks.ts';

const options = { levels: [1, 5, 10], arms: 5, repeats: 7 };

test('every level runs every repeat once', () => {
  const blocks = aaBlocks(options);
  for (const lanes of options.levels) {
    const own = blocks.filter((block) => block.lanes === lanes).flatMap(({ repeats }) => repeats);
    expect(own.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  }
});

test('in a round all levels run the same repeats, enough of them to fill the lanes of the highest', () => {
  const blocks = aaBlocks(options);
  for (const round of new Set(blocks.map((block) => block.round))) {
    const own = blocks.filter((block) => block.round === round);
    expect(own.map(({ lanes }) => lanes).toSorted((a, b) => a - b)).toEqual([1, 5, 10]);
    expect(new Set(own.map(({ repeats }) => repeats.join())).size).toBe(1);
    for (const { repeats } of own) expect(repeats.length * options.arms).toBeGreaterThanOrEqual(10);
  }
});

test('the level that begins moves on from round to round', () => {
  const blocks = aaBlocks({ levels: [1, 2, 3], arms: 3, repeats: 4 });
  const first = [1, 2, 3, 4].map((round) => blocks.find((block) => block.round === round)?.lanes);
  expect(first).toEqual([1, 2, 3, 1]);
});

test('a single level, one named twice, and more lanes than trials are refused', () => {
  for (const bad of [{ levels: [1] }, { levels: [2, 2] }, { levels: [1, 10], arms: 2, repeats: 4 }]) {
    expect(() => aaBlocks({ ...options, ...bad })).toThrow(expect.objectContaining({ kind: 'input' }) as Error);
  }
});
