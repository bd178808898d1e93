import fc from 'fast-check';
import { expect, test } from 'vitest';
import { swarm } from '../../../src/charts/swarm.ts';

test('a point that covers no other stays on its row', () => {
  expect(swarm([10, 40, 90])).toEqual([0, 0, 0]);
});

test('up to five equal points stand apart', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1, maxLength: 5 }), (places) => {
      const offsets = swarm(places);
      const near = places.flatMap((place, one) =>
        places
          .slice(one + 1)
          .map((other, rest) => Math.hypot(place - other, (offsets[one] ?? 0) - (offsets[one + 1 + rest] ?? 0))),
      );
      expect(Math.min(Infinity, ...near)).toBeGreaterThanOrEqual(5);
    }),
  );
});

test('more equal points than there is room for stay within the row', () => {
  expect(Math.max(...swarm(Array.from({ length: 40 }, () => 7)).map(Math.abs))).toBeLessThanOrEqual(10);
});
