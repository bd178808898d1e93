import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dialInTurn } from '../../../src/flows/dial-in-turn.ts';

test('all are dialled, in order, and no more at once than a short queue of a listener holds', async () => {
  const dialed: number[] = [];
  let atOnce = 0;
  let most = 0;
  const flows = Array.from({ length: 350 }, (_, index) => ({
    dial: async () => {
      dialed.push(index);
      atOnce += 1;
      most = Math.max(most, atOnce);
      await sleep(index % 3);
      atOnce -= 1;
    },
  }));
  await dialInTurn(flows);
  expect(dialed).toEqual(flows.map((_, index) => index));
  expect(atOnce).toBe(0);
  expect(most).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(128);
});

test('without flows it is done at once', async () => {
  await expect(dialInTurn([])).resolves.toBeUndefined();
});
