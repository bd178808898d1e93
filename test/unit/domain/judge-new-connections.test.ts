import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeNewConnections } from '../../../src/domain/judge-new-connections.ts';
import { measured, notMeasured, type Measured } from '../../../src/domain/measured.ts';
import { attemptOutcomes, type NewConnectionSummary } from '../../../src/domain/new-connections.ts';
import { answered, columnsOf, every10Ms, failed, placeAttempt, type AttemptRow } from '../../fixtures/attempts.ts';

const old = 'probe-old/0000000a';
const replacement = 'probe-new/0000000b';

const judge = (rows: readonly AttemptRow[], notReadyMs: Measured<number> = measured(20)) =>
  judgeNewConnections(columnsOf(rows), { place: placeAttempt, pod: 'probe-old', notReadyMs });

function summaryOf(rows: readonly AttemptRow[], notReadyMs?: Measured<number>): NewConnectionSummary {
  const seen = judge(rows, notReadyMs);
  if (seen.status === 'not-measured') throw new Error(seen.reason);
  return seen.value;
}

const windowMs = (rows: readonly AttemptRow[]) => {
  const { failureWindow } = summaryOf(rows);
  return failureWindow.status === 'measured' ? failureWindow.value.ms : failureWindow.reason;
};

/** Served by the old pod to 200 ms, refused to 450 ms, then by the replacement. */
const outage = [
  ...every10Ms(-100, 200, (atMs) => answered(atMs, old)),
  ...every10Ms(200, 450, (atMs) => failed(atMs)),
  ...every10Ms(450, 600, (atMs) => answered(atMs, replacement)),
];

describe('the failure window', () => {
  test('runs from the first failed attempt to the first answered one, each known to the attempts around it', () => {
    const { failureWindow, firstFailure, lastFailure } = summaryOf(outage);
    expect(failureWindow).toEqual(
      measured({
        from: { tMs: 200, precision: { kind: 'bounded', earlyMs: 10, lateMs: 1 } },
        to: { tMs: 450, precision: { kind: 'bounded', earlyMs: 10, lateMs: 1 } },
        ms: 250,
      }),
    );
    expect([firstFailure?.tMs, lastFailure?.tMs]).toEqual([200, 440]);
  });

  test('an answer amid failures does not end it, but is no part of the failing time', () => {
    const flapping = outage.map((row) => (row.atMs === 300 ? answered(300, old) : row));
    expect(windowMs(flapping)).toBe(250);
    expect(summaryOf(flapping).failingMs).toBe(240);
    expect(summaryOf(outage).failingMs).toBe(250);
  });

  test('is empty where every attempt was answered', () => {
    expect(windowMs(every10Ms(-50, 100, (atMs) => answered(atMs, old)))).toBe(0);
  });

  test('is not measured while attempts still fail at the end, and says for how long they did', () => {
    expect(windowMs([answered(0, old), failed(10), failed(250, 'timed-out', 900)])).toBe(
      'attempts still failed when the observation closed, 240 ms after the first that did',
    );
  });

  test('a failure before the trigger is no effect of it', () => {
    const { before, firstFailure } = summaryOf([failed(-10), answered(0, old), answered(10, old)]);
    expect(before).toEqual({ attempts: 1, failed: 1 });
    expect(firstFailure).toBeNull();
  });
});

test('each attempt counts once, by how it went and by who answered', () => {
  const { attempts, outcomes, answeredBy, before } = summaryOf(outage);
  expect({ attempts, outcomes }).toEqual({ attempts: 60, outcomes: { answered: 35, refused: 25 } });
  expect(before).toEqual({ attempts: 10, failed: 0 });
  expect(answeredBy).toEqual([
    { identity: old, count: 20, firstMs: 0, lastMs: 190 },
    { identity: replacement, count: 15, firstMs: 450, lastMs: 590 },
  ]);
});

test('answers of the ended pod after ready=false are counted, and not known where ready=false is not', () => {
  const { podAnswersAfterNotReady, lastAnswerOfPod } = summaryOf(outage, measured(100));
  expect(podAnswersAfterNotReady).toEqual(measured(10));
  expect(lastAnswerOfPod?.tMs).toBe(190);
  expect(summaryOf(outage, notMeasured('no cluster')).podAnswersAfterNotReady).toEqual(notMeasured('no cluster'));
});

test('a pod whose name starts alike is another pod', () => {
  const rows = every10Ms(0, 100, (atMs) => answered(atMs, 'probe-old-2/0000000c'));
  expect(summaryOf(rows).lastAnswerOfPod).toBeNull();
});

test('attempts in flight at the end are told, and count for nothing else', () => {
  const { attempts, unsettled, lastFailure } = summaryOf([...outage, { atMs: 600, outcome: null }]);
  expect({ attempts, unsettled }).toEqual({ attempts: 60, unsettled: 1 });
  expect(lastFailure?.tMs).toBe(440);
});

test('the gap between attempts is told, as no time is finer than it', () => {
  const late = outage.filter(({ atMs }) => atMs < 300 || atMs >= 340);
  expect(summaryOf(late).gapMs).toEqual({ p50: 10, p99: 50, max: 50 });
});

test('without attempts after the trigger nothing is measured', () => {
  expect(judge([])).toEqual(notMeasured('0 attempts were made after the trigger'));
  expect(judge(every10Ms(-100, 0, (atMs) => answered(atMs, old))).status).toBe('not-measured');
});

describe('the intervals', () => {
  test('are the runs of attempts that went alike', () => {
    expect(summaryOf(outage).intervals).toEqual([
      { fromMs: -100, toMs: 190, outcome: 'answered', detail: old, count: 30 },
      { fromMs: 200, toMs: 440, outcome: 'refused', detail: null, count: 25 },
      { fromMs: 450, toMs: 590, outcome: 'answered', detail: replacement, count: 15 },
    ]);
  });

  test('several pods that answer in turn are one interval when they are too many, and a failure among them stays seen', () => {
    const turns = every10Ms(0, 20_000, (atMs) => answered(atMs, atMs % 20 === 0 ? old : replacement));
    const { intervals } = summaryOf(turns.map((row) => (row.atMs === 500 ? failed(500) : row)));
    expect(intervals.map(({ outcome, detail, count }) => [outcome, detail, count])).toEqual([
      ['answered', null, 50],
      ['refused', null, 1],
      ['answered', null, 1949],
    ]);
  });

  test('hold every attempt once, in order, and are few, whatever happens', () => {
    const row = fc.record({ outcome: fc.constantFrom(...attemptOutcomes), detail: fc.constantFrom(old, replacement) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 3_000, size: 'max' }), (rows) => {
        const { intervals } = summaryOf(rows.map((one, index) => ({ ...one, atMs: 10 * index })));
        expect(intervals.length).toBeLessThanOrEqual(400);
        expect(intervals.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
        expect(intervals[0]?.fromMs).toBe(0);
        expect(intervals.at(-1)?.toMs).toBe(10 * (rows.length - 1));
        expect(intervals.every(({ fromMs }, index) => fromMs > (intervals[index - 1]?.toMs ?? -1))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
