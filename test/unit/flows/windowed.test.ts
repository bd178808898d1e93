import { expect, test } from 'vitest';
import { Windowed } from '../../../src/flows/windowed.ts';

const maxima = (limit: number) => new Windowed<number>(100, limit, Math.max);

test('a value counts in each window that its time touches', () => {
  const windows = maxima(10);
  windows.add(0, 99, 1);
  windows.add(150, 300, 5);
  windows.add(299, 299, 3);
  expect(windows.values).toEqual([1, 5, 5, 5]);
});

test('a window without a value stays without one', () => {
  const windows = maxima(10);
  windows.add(200, 200, 7);
  expect([...windows.values]).toEqual([undefined, undefined, 7]);
});

test('what came before the start does not count, but for the part that reaches into it', () => {
  const windows = maxima(10);
  windows.add(-1_000, -1, 9);
  windows.add(-100, 0, 2);
  expect(windows.values).toEqual([2]);
});

test('past the limit windows become twice as long, and no value is lost', () => {
  const windows = maxima(4);
  for (let index = 0; index < 9; index += 1) windows.add(index * 100, index * 100, index);
  expect(windows.windowNs).toBe(400);
  expect(windows.values).toEqual([3, 7, 8]);
});
