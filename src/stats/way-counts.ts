import type { WayCount } from '../domain/comparison.ts';
import { groupBy } from '../domain/group-by.ts';

/** In how many trials something came out in each way. */
export type Ways = ReadonlyMap<string, number>;

export const countWays = (ways: readonly string[]): Ways =>
  new Map([...groupBy(ways, (way) => way)].map(([way, same]) => [way, same.length]));

export const sizeOf = (ways: Ways): number => [...ways.values()].reduce((sum, trials) => sum + trials, 0);

/** How often each way is among the first, and among the second. */
export const pairedCounts = (a: Ways, b: Ways): readonly (readonly [number, number])[] =>
  [...new Set([...a.keys(), ...b.keys()])].map((way) => [a.get(way) ?? 0, b.get(way) ?? 0]);

/** Whether each way is as frequent among the first as among the second. */
export const isAlike = (a: Ways, b: Ways): boolean => {
  const [m, n] = [sizeOf(a), sizeOf(b)];
  return pairedCounts(a, b).every(([inA, inB]) => inA * n === inB * m);
};

/** The most frequent first. */
export const inOrder = (ways: Ways): readonly WayCount[] =>
  [...ways]
    .map(([way, trials]) => ({ way, trials }))
    .toSorted((x, y) => y.trials - x.trials || (x.way < y.way ? -1 : 1));
