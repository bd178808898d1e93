import { expect, test } from 'vitest';
import { aaBlocks } from '../../../src/assembly/aa-blocks.ts';

const at = (...lanes: readonly number[]) => lanes.map((each) => ({ lanes: each }));
const options = { levels: at(1, 5, 10), arms: 5, repeats: 7 };

test('every level runs every repeat once', () => {
  const blocks = aaBlocks(options);
  for (const level of options.levels) {
    const own = blocks.filter((block) => block.level === level).flatMap(({ repeats }) => repeats);
    expect(own.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  }
});

test('in a round all levels run the same repeats, enough of them to fill the lanes of the highest', () => {
  const blocks = aaBlocks(options);
  for (const round of new Set(blocks.map((block) => block.round))) {
    const own = blocks.filter((block) => block.round === round);
    expect(own.map(({ level }) => level.lanes).toSorted((a, b) => a - b)).toEqual([1, 5, 10]);
    expect(new Set(own.map(({ repeats }) => repeats.join())).size).toBe(1);
    for (const { repeats } of own) expect(repeats.length * options.arms).toBeGreaterThanOrEqual(10);
  }
});

test('the level that begins moves on from round to round', () => {
  const blocks = aaBlocks({ levels: at(1, 2, 3), arms: 3, repeats: 4 });
  const first = [1, 2, 3, 4].map((round) => blocks.find((block) => block.round === round)?.level.lanes);
  expect(first).toEqual([1, 2, 3, 1]);
});

test('levels that differ in something else than lanes take turns as well, with repeats enough for those lanes', () => {
  const levels = [
    { lanes: 5, name: 'off' },
    { lanes: 5, name: 'evidence' },
  ];
  const blocks = aaBlocks({ levels, arms: 3, repeats: 4 });
  expect(blocks.map(({ level, repeats }) => [level.name, repeats])).toEqual([
    ['off', [1, 2]],
    ['evidence', [1, 2]],
    ['evidence', [3, 4]],
    ['off', [3, 4]],
  ]);
});

test('more lanes than trials are refused', () => {
  const refused = () => aaBlocks({ levels: at(1, 10), arms: 2, repeats: 4 });
  expect(refused).toThrow(expect.objectContaining({ kind: 'input' }) as Error);
});
