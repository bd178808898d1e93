import { expect, test } from 'vitest';
import type { RawEvent } from '../../../src/domain/event.ts';
import { clockDomain } from '../../../src/timeline/clock-domain.ts';
import { mergeTimeline } from '../../../src/timeline/merge.ts';
import { createTimelineClock, relateClocks } from '../../../src/timeline/timeline-clock.ts';

const probe = { identity: 'p/1', bootId: 'boot-a', timeNamespaceOffsetNs: 0n };
const domain = clockDomain(probe);
const origin = { domain, monotonicNs: 0n };
const clock = createTimelineClock(origin, probe, relateClocks(origin, probe, probe, null));
const reading = (ms: number) => ({ domain, monotonicNs: BigInt(ms) * 1_000_000n });

const deleted: RawEvent = {
  name: 'pod-deleted',
  source: 'kubernetes',
  stamp: 'at-receipt',
  reading: reading(300),
  payload: { pod: 'p' },
};
const sigterm: RawEvent = {
  name: 'sigterm-received',
  source: 'probe',
  stamp: 'at-occurrence',
  reading: reading(40),
  payload: { pod: 'p' },
};

test('sources that were appended in any order stand in the order of time', () => {
  expect(mergeTimeline([deleted, sigterm], clock).events.map(({ name }) => name)).toEqual([
    'sigterm-received',
    'pod-deleted',
  ]);
});

test('what was stamped at receipt is an upper bound, what was stamped where it happened is exact', () => {
  const [first, second] = mergeTimeline([deleted, sigterm], clock).events;
  expect(first?.at).toEqual({ tMs: 40, precision: { kind: 'exact' } });
  expect(second?.at).toEqual({ tMs: 300, precision: { kind: 'upper-bound' } });
});

test('an event on a clock that was never related is set apart, not placed at zero', () => {
  const stranger: RawEvent = {
    ...sigterm,
    reading: { domain: clockDomain({ ...probe, bootId: 'boot-z' }), monotonicNs: 7n },
  };
  expect(mergeTimeline([stranger], clock)).toEqual({ events: [], unplaced: [stranger] });
});

test('a watch that reconnects while SIGKILL is due leaves both its gap and what it then learnt on the timeline', () => {
  const raw: RawEvent[] = [
    {
      name: 'watch-interrupted',
      source: 'kubernetes',
      stamp: 'at-receipt',
      reading: reading(29_900),
      payload: { resource: 'pods', reason: 'socket closed' },
    },
    {
      name: 'watch-resumed',
      source: 'kubernetes',
      stamp: 'at-receipt',
      reading: reading(30_700),
      payload: { resource: 'pods', gapMs: 800 },
    },
    {
      name: 'container-terminated',
      source: 'kubernetes',
      stamp: 'at-receipt',
      reading: reading(30_700),
      payload: { pod: 'p', exitCode: 137, signal: 9, reason: 'Error' },
    },
  ];
  const { events } = mergeTimeline(raw, clock);
  expect(events.map(({ name, at }) => [name, at.tMs, at.precision.kind])).toEqual([
    ['watch-interrupted', 29_900, 'upper-bound'],
    ['watch-resumed', 30_700, 'upper-bound'],
    ['container-terminated', 30_700, 'upper-bound'],
  ]);
});
