import { describe, expect, test } from 'vitest';
import type { CriticalMoment } from '../../../src/domain/quality.ts';
import { criticalMoments } from '../../../src/experiment/critical-moments.ts';
import { MomentBook } from '../../../src/experiment/moment-book.ts';
import { conditionsOf } from '../../../src/experiment/plan.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { triggers } from '../../../src/triggers/index.ts';
import { matrixOf } from '../../fixtures/trial-report.ts';

const moment = (fromMs: number, toMs: number): CriticalMoment => ({ moment: 'trigger', fromMs, toMs });

describe('a book of moments', () => {
  test('gives the first trial the time that it asks for', () => {
    expect(new MomentBook(1000).reserve([moment(0, 2000)], 500)).toBe(500);
  });

  test('puts the next a spacing after the one before it', () => {
    const book = new MomentBook(1000);
    book.reserve([moment(0, 2000)], 0);
    expect(book.reserve([moment(0, 2000)], 0)).toBe(3000);
  });

  test('uses a gap between two moments of an earlier trial where it is wide enough, and only there', () => {
    const book = new MomentBook(1000);
    book.reserve([moment(0, 2000), moment(10_000, 11_000)], 0);
    expect(book.reserve([moment(0, 5000)], 0)).toBe(3000);
    expect(book.reserve([moment(0, 5000)], 0)).toBe(12_000);
  });

  test('keeps a later moment of the new trial clear as well', () => {
    const book = new MomentBook(0);
    book.reserve([moment(10_000, 12_000)], 0);
    // its second moment would meet the booked one at 3, 4 … up to 7 s
    expect(book.reserve([moment(0, 1000), moment(5000, 6000)], 4500)).toBe(7000);
  });

  test('never lets moments of any standard trials meet, whatever the order in which they ask', () => {
    const conditions = conditionsOf(matrixOf({ gracePeriodSeconds: 30 }));
    const book = new MomentBook(1000);
    const booked = Array.from({ length: 40 }, (_, index) => {
      const scenario = scenarios.get(
        ['exit-now', 'drain', 'ignore', 'drain-evict', 'drain-scale'][(index * 7) % 5] ?? '',
      );
      const moments = criticalMoments(scenario, triggers.get(scenario.trigger), conditions);
      const at = book.reserve(moments, ((index * 37) % 11) * 1000);
      return moments.map(({ fromMs, toMs }) => ({ fromMs: at + fromMs, toMs: at + toMs, trial: index }));
    }).flat();
    const inOrder = booked.toSorted((a, b) => a.fromMs - b.fromMs);
    const gaps = inOrder.slice(1).flatMap((next, index) => {
      const before = inOrder[index];
      return before === undefined || before.trial === next.trial ? [] : [next.fromMs - before.toMs];
    });
    expect(gaps.length).toBeGreaterThan(40);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000 - 1e-6);
  });
});

describe('the critical moments of a trial', () => {
  const conditions = conditionsOf(matrixOf({ gracePeriodSeconds: 30 }));
  const of = (name: string) => {
    const scenario = scenarios.get(name);
    return criticalMoments(scenario, triggers.get(scenario.trigger), conditions);
  };

  test('are one where the workload ends at the trigger, else two', () => {
    expect(of('exit-now').map(({ moment: name }) => name)).toEqual(['trigger']);
    expect(of('drain').map(({ moment: name }) => name)).toEqual(['trigger', 'end']);
  });

  test('hold the close of a drain and the SIGKILL of a pod that ignores SIGTERM', () => {
    const holds = (name: string, ms: number) => of(name).some(({ fromMs, toMs }) => fromMs < ms && ms < toMs);
    expect(holds('drain', 25_040)).toBe(true);
    expect(holds('ignore', 30_056)).toBe(true);
    expect(holds('ignore', 25_040)).toBe(false);
  });

  test('are longer at the trigger where a replacement starts', () => {
    const [replaced] = of('drain');
    const [scaled] = of('drain-scale');
    expect(replaced?.toMs).toBeGreaterThan(scaled?.toMs ?? Infinity);
  });

  test('are one as well where the end comes in the midst of the trigger’s', () => {
    const scenario = scenarios.get('drain');
    const short = { ...conditions, drainSeconds: 1 };
    expect(criticalMoments(scenario, triggers.get(scenario.trigger), short)).toHaveLength(1);
  });
});
