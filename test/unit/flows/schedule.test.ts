import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DueQueue } from '../../../src/flows/due-queue.ts';
import { monotonicNs, nextSlot, nsOfMs, Schedule } from '../../../src/flows/schedule.ts';

const drain = (queue: DueQueue<unknown>): readonly bigint[] => {
  const taken: bigint[] = [];
  for (let entry = queue.take(); entry !== undefined; entry = queue.take()) taken.push(entry.dueNs);
  return taken;
};

test('what is due first is taken first, also when entries were taken and added in between', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 50n })), fc.array(fc.bigInt({ min: 0n, max: 50n })), (one, two) => {
      const queue = new DueQueue<null>();
      for (const dueNs of one) queue.add(dueNs, null);
      const first = queue.take()?.dueNs;
      for (const dueNs of two) queue.add(dueNs, null);
      const inOrder = (values: readonly bigint[]) => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const [earliest, ...rest] = inOrder(one);
      expect(first).toBe(earliest);
      expect(drain(queue)).toEqual(inOrder([...rest, ...two]));
    }),
  );
});

test('a late sender goes on with the first slot to come, in step with its schedule', () => {
  const time = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(time, fc.bigInt({ min: 1n, max: 10n ** 12n }), time, (dueNs, periodNs, latenessNs) => {
      const nowNs = dueNs + latenessNs;
      const slotNs = nextSlot(dueNs, periodNs, nowNs);
      expect((slotNs - dueNs) % periodNs).toBe(0n);
      expect(slotNs).toBeGreaterThan(nowNs);
      expect(slotNs - nowNs).toBeLessThanOrEqual(periodNs);
    }),
  );
});

test('a task runs never early, and again when it said', async () => {
  const schedule = new Schedule();
  const earlyNs: bigint[] = [];
  const startNs = monotonicNs();
  const lastNs = await new Promise<bigint>((resolve) => {
    schedule.add(startNs + nsOfMs(5), {
      run: (dueNs) => {
        earlyNs.push(dueNs - monotonicNs());
        if (earlyNs.length < 20) return dueNs + nsOfMs(3.3);
        resolve(dueNs);
        return null;
      },
    });
  });
  expect(earlyNs.filter((ns) => ns > 0n)).toEqual([]);
  expect(lastNs - startNs).toBe(nsOfMs(5) + 19n * nsOfMs(3.3));
});

test('a task that is due sooner than the one waited for is not held up by it', async () => {
  const schedule = new Schedule();
  const ran: string[] = [];
  const task = (name: string) => ({ run: () => (ran.push(name), null) });
  schedule.add(monotonicNs() + nsOfMs(600_000), task('later'));
  await new Promise<void>((resolve) => {
    schedule.add(monotonicNs() + nsOfMs(5), { run: () => (task('sooner').run(), resolve(), null) });
  });
  schedule.stop();
  expect(ran).toEqual(['sooner']);
});

test('nothing runs after a stop, and nothing can be added', async () => {
  const schedule = new Schedule();
  const ran: bigint[] = [];
  const task = { run: (dueNs: bigint) => (ran.push(dueNs), null) };
  schedule.add(monotonicNs() + nsOfMs(10), task);
  schedule.stop();
  schedule.add(monotonicNs() + nsOfMs(10), task);
  await sleep(50);
  expect(ran).toEqual([]);
});
