import { expect, test } from 'vitest';
import { nsOfMs } from '../../../src/flows/schedule.ts';
import { SilenceWatch } from '../../../src/flows/silence-watch.ts';

const limitNs = nsOfMs(1_000);

function watched() {
  const flow = {
    isOpen: true,
    sinceNs: undefined as bigint | undefined,
    silences: [] as bigint[],
    waitingSinceNs: () => flow.sinceNs,
    noteSilence: (sinceNs: bigint) => void flow.silences.push(sinceNs),
  };
  return { flow, watch: new SilenceWatch(flow, limitNs) };
}

test('it looks again exactly when the oldest waiting ping comes to the limit', () => {
  const { flow, watch } = watched();
  flow.sinceNs = nsOfMs(700);
  expect(watch.run(0n, nsOfMs(1_000))).toBe(nsOfMs(1_700));
  expect(flow.silences).toEqual([]);
});

test('a silence is believed at the second look only, after the socket was read', () => {
  const { flow, watch } = watched();
  flow.sinceNs = 0n;
  const secondLookNs = watch.run(0n, limitNs);
  expect(flow.silences).toEqual([]);
  expect(secondLookNs).toBeGreaterThan(limitNs);
  watch.run(0n, secondLookNs ?? 0n);
  expect(flow.silences).toEqual([0n]);
});

test('an answer that a stall of the client left unread is no silence', () => {
  const { flow, watch } = watched();
  flow.sinceNs = 0n;
  const afterStallNs = nsOfMs(5_000);
  const secondLookNs = watch.run(limitNs, afterStallNs) ?? 0n;
  flow.sinceNs = nsOfMs(4_990);
  expect(watch.run(0n, secondLookNs)).toBe(nsOfMs(4_990) + limitNs);
  expect(flow.silences).toEqual([]);
});

test('an earlier suspicion that an answer removed does not shorten the next one', () => {
  const { flow, watch } = watched();
  flow.sinceNs = 0n;
  watch.run(0n, limitNs);
  flow.sinceNs = nsOfMs(990);
  watch.run(0n, nsOfMs(1_001));
  watch.run(0n, nsOfMs(1_990));
  expect(flow.silences).toEqual([]);
});

test('a closed flow is watched no more', () => {
  const { flow, watch } = watched();
  flow.isOpen = false;
  expect(watch.run(0n, limitNs)).toBeNull();
});
