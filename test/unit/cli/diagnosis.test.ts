import { expect, test } from 'vitest';
import { concurrencyOn } from '../../../src/cli/diagnosis.ts';

test('what auto stands for is told, with how to prove it where there are fewer cores than it was shown on', () => {
  expect(concurrencyOn(2)).toMatchObject({
    status: 'note',
    detail: 'auto runs 5 trials at once on a kind cluster, and one at a time elsewhere; shown on 2 cores',
    remedy: null,
  });
  expect(concurrencyOn(1)).toMatchObject({
    status: 'lacking',
    detail: expect.stringContaining('here is 1') as string,
    remedy: expect.stringContaining('--concurrency 1') as string,
  });
});
