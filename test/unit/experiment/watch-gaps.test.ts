import { expect, test } from 'vitest';
import { measured } from '../../../src/domain/measured.ts';
import { watchGapsOf } from '../../../src/experiment/watch-gaps.ts';
import { event, exact, pod, receipt } from '../metrics/example-trial.ts';

const down = (tMs: number, resource = 'pods') =>
  event('watch-interrupted', exact(tMs), { resource, reason: '410 Gone' });
const up = (tMs: number, gapMs: number, resource = 'pods') => event('watch-resumed', exact(tMs), { resource, gapMs });
const terminated = (tMs: number) =>
  event('container-terminated', receipt(tMs), { pod, exitCode: 0, signal: null, reason: null });
const removed = (tMs: number) => event('endpoint-removed', receipt(tMs), { pod });

test('a trial whose watches held has no gap', () => {
  expect(watchGapsOf([terminated(200), removed(250)])).toEqual([]);
});

test('what a watch tells when it is open again may be late, and what it told before or long after is not', () => {
  const timeline = [
    event('pod-terminating', receipt(10), { pod }),
    down(100),
    up(900, 800),
    terminated(905),
    event('pod-deleted', receipt(5_000), { pod }),
  ];
  expect(watchGapsOf(timeline)).toEqual([{ resource: 'pods', gapMs: measured(800), late: ['container-terminated'] }]);
});

test('what is listed anew before the watch opens is late as well', () => {
  expect(watchGapsOf([down(100), terminated(600), up(620, 520)])).toMatchObject([{ late: ['container-terminated'] }]);
});

test('the gap of one watch makes nothing late that the other one told', () => {
  expect(watchGapsOf([down(100), removed(300), up(400, 300)])).toMatchObject([{ resource: 'pods', late: [] }]);
});

test('a gap that ended before the trigger is none of the trial’s; one that ended after it is', () => {
  expect(watchGapsOf([down(-900), up(-100, 800)])).toEqual([]);
  expect(watchGapsOf([down(-900), up(50, 950)])).toHaveLength(1);
});

test('a watch that never opened again has a gap without an end', () => {
  expect(watchGapsOf([down(100)])).toEqual([
    {
      resource: 'pods',
      gapMs: {
        status: 'not-measured',
        reason: 'it was not open again when the observation closed (410 Gone)',
      },
      late: [],
    },
  ]);
});
