import { expect, test } from 'vitest';
import { Windowed } from '../../../src/flows/windowed.ts';

const maxima = (limit: number) => new Windowed<number>(1_000n, 100n, limit, Math.max);

test('a value counts in each window that its time touches', () => {
  const windows = maxima(10);
  windows.add(1_000n, 1_099n, 1);
  windows.add(1_150n, 1_300n, 5);
  windows.add(1_299n, 1_299n, 3);
  expect(windows.values).toEqual([1, 5, 5, 5]);
});

test('a window without a value stays without one', () => {
  const windows = maxima(10);
  windows.add(1_200n, 1_200n, 7);
  expect([...windows.values]).toEqual([undefined, undefined, 7]);
});

test('what came before the start does not count, but for the part that reaches into it', () => {
  const windows = maxima(10);
  windows.add(0n, 999n, 9);
  windows.add(900n, 1_000n, 2);
  expect(windows.values).toEqual([2]);
});

test('past the limit windows become twice as long, and no value is lost', () => {
  const windows = maxima(4);
  for (let index = 0n; index < 9n; index += 1n) {
    windows.add(1_000n + index * 100n, 1_000n + index * 100n, Number(index));
  }
  expect(windows.windowNs).toBe(400n);
  expect(windows.values).toEqual([3, 7, 8]);
});
