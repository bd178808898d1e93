import { describe, expect, test } from 'vitest';
import type { Trial } from '../../../src/domain/trial.ts';
import { metrics } from '../../../src/metrics/index.ts';
import {
  bounded,
  drainedTrial,
  event,
  exact,
  flow,
  pod,
  receipt,
  refused,
  rehomed,
  reset,
  successor,
  trialWith,
} from './example-trial.ts';

const measure = (name: string, changes: Partial<Trial>) => metrics.get(name).measure(trialWith(changes));
const reason = (name: string, changes: Partial<Trial>) => {
  const sample = measure(name, changes);
  return sample.status === 'not-measured' ? sample.reason : `measured ${sample.value.value}`;
};

describe('an event', () => {
  test('before the trigger is no consequence of it', () => {
    const notReady = (tMs: number) =>
      event('endpoint-not-ready', receipt(tMs), { pod, serving: true, terminating: false });
    expect(measure('trigger-to-ready-false', { timeline: [notReady(-400), notReady(24)] })).toMatchObject({
      value: { value: 24 },
    });
    expect(reason('trigger-to-ready-false', { timeline: [notReady(-400)] })).toMatch(
      /^endpoint-not-ready was not observed/,
    );
  });

  test('that a bounded clock places just before the trigger may be one', () => {
    const timeline = [event('sigterm-received', bounded(-0.4, 1, 1), { pod })];
    expect(measure('trigger-to-sigterm', { timeline })).toEqual({
      status: 'measured',
      value: { value: -0.4, precision: 'bounded' },
    });
  });

  test("of the replacement is not the trial's pod's", () => {
    const timeline = [
      event('endpoint-removed', receipt(5), { pod: successor }),
      event('endpoint-removed', receipt(9), { pod }),
    ];
    expect(measure('trigger-to-endpoint-removed', { timeline })).toMatchObject({ value: { value: 9 } });
  });

  test('of Kubernetes is missing where there is no cluster, and the reason says so', () => {
    const unobservable = { 'endpoint-removed': 'a plain process has no cluster' };
    expect(reason('trigger-to-endpoint-removed', { unobservable })).toBe(
      "endpoint-removed can't be observed: a plain process has no cluster",
    );
    expect(reason('trigger-to-sigterm', { unobservable })).toBe('sigterm-received was not observed after the trigger');
  });
});

describe('the first end of a protocol', () => {
  test('is unknown while the end of any flow is unknown, for that one may have been first', () => {
    const flows = [reset(30), flow('tcp', { kind: 'not-measured', reason: 'the clocks are unrelated' })];
    expect(reason('trigger-to-first-tcp-end', { flows })).toBe(
      'the end of 1 of 2 TCP flows was not measured: the clocks are unrelated',
    );
  });

  test('does not wait for flows that outlived the window', () => {
    const flows = [flow('tcp', { kind: 'survived-observation-window' }), reset(98), reset(30)];
    expect(measure('trigger-to-first-tcp-end', { flows })).toMatchObject({ value: { value: 30 } });
  });

  test('is not measured, and not zero, when every flow outlived the window', () => {
    const flows = [flow('tcp', { kind: 'survived-observation-window' })];
    expect(reason('trigger-to-first-tcp-end', { flows })).toBe('no TCP flow ended in the observation window');
  });

  test('does not read flows of another protocol', () => {
    expect(reason('trigger-to-first-udp-end', { flows: [reset(30)] })).toBe('the trial held no UDP flow');
  });

  test('is only an upper bound when any of the ends is', () => {
    const flows = [reset(30), flow('tcp', { kind: 'severed', at: receipt(35), by: 'rst' })];
    expect(measure('trigger-to-first-tcp-end', { flows })).toEqual({
      status: 'measured',
      value: { value: 30, precision: 'upper-bound' },
    });
  });
});

describe('the last end of a protocol', () => {
  test('is unknown while one flow outlived the window', () => {
    const flows = [reset(30), reset(40), flow('tcp', { kind: 'survived-observation-window' })];
    expect(reason('trigger-to-last-tcp-end', { flows })).toBe('1 of 3 TCP flows outlived the observation window');
  });

  test('takes every kind of end: a read time-out is one', () => {
    const flows = [reset(30), flow('tcp', { kind: 'read-timeout', at: exact(45_000) })];
    expect(measure('trigger-to-last-tcp-end', { flows })).toMatchObject({ value: { value: 45_000 } });
  });

  test('of 5,000 flows is found', () => {
    const flows = Array.from({ length: 5_000 }, (_, index) => reset(index));
    expect(measure('trigger-to-last-tcp-end', { flows })).toMatchObject({ value: { value: 4_999 } });
  });
});

describe('a window between two events', () => {
  test('names both events when neither was observed', () => {
    expect(reason('sigterm-to-endpoint-removed', {})).toBe(
      'sigterm-received was not observed after the trigger; endpoint-removed was not observed after the trigger',
    );
  });

  test.each([
    ['exact', exact(10), exact(30)],
    ['bounded', bounded(10), exact(30)],
    ['upper-bound', bounded(10), receipt(30)],
    ['lower-bound', receipt(10), exact(30)],
    ['lower-bound', receipt(10), bounded(30)],
    ['unbounded', receipt(10), receipt(30)],
  ] as const)('that is %s lies between such times', (precision, sigterm, removed) => {
    const timeline = [event('sigterm-received', sigterm, { pod }), event('endpoint-removed', removed, { pod })];
    expect(measure('sigterm-to-endpoint-removed', { timeline })).toEqual({
      status: 'measured',
      value: { value: 20, precision },
    });
  });

  test('is negative when the later-named event came first', () => {
    const timeline = [
      event('endpoint-not-ready', receipt(24), { pod, serving: true, terminating: true }),
      event('sigterm-received', exact(40), { pod }),
    ];
    expect(measure('sigterm-to-ready-false', { timeline })).toMatchObject({ value: { value: -16 } });
  });

  test('has no dead endpoint while TCP flows live on', () => {
    const flows = [reset(30), flow('tcp', { kind: 'survived-observation-window' })];
    expect(reason('dead-endpoint-window', { ...drainedTrial, flows })).toBe(
      '1 of 2 TCP flows outlived the observation window',
    );
  });
});

describe('the drain left at a UDP re-home', () => {
  test('does not exist when UDP was re-homed only after the pod was gone', () => {
    const timeline = [event('probe-exiting', exact(41), { pod, exitCode: 0 })];
    expect(reason('drain-left-at-udp-rehome', { timeline, flows: [rehomed(2_409)] })).toBe(
      'UDP flows were re-homed only after the old pod had stopped serving',
    );
  });

  test('ends with the last TCP end where the exit was not seen', () => {
    const flows = [reset(30_056), rehomed(2_409)];
    expect(measure('drain-left-at-udp-rehome', { flows })).toMatchObject({ value: { value: 27_647 } });
  });

  test('does not exist when nothing was re-homed', () => {
    const flows = [refused(25_426)];
    expect(reason('drain-left-at-udp-rehome', { ...drainedTrial, flows })).toBe(
      'no UDP flow was answered by another pod',
    );
  });

  test('counts a flow that was refused first and re-homed later', () => {
    const late = flow('udp', refused(392).outcome, { rehomed: { to: successor, at: exact(2_395) } });
    expect(measure('trigger-to-first-udp-rehome', { flows: [late] })).toMatchObject({ value: { value: 2_395 } });
  });
});
