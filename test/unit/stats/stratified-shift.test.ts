import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unobserved } from '../../../src/domain/aa-level.ts';
import {
  aaFinding,
  cleanUpTo,
  gateMetrics,
  levelFinding,
  withinFloorsUpTo,
  type LevelComparison,
} from '../../../src/domain/aa-result.ts';
import type { Comparison, PooledMetric } from '../../../src/domain/comparison.ts';
import { measured, notMeasured, valueOf } from '../../../src/domain/measured.ts';
import { compareArms } from '../../../src/stats/compare-arms.ts';
import { hodgesLehmannShift, shiftInterval } from '../../../src/stats/hodges-lehmann.ts';
import { mannWhitney } from '../../../src/stats/mann-whitney.ts';
import { poolArms } from '../../../src/stats/pool-arms.ts';
import { stratifiedShift, type Stratum } from '../../../src/stats/stratified-shift.ts';
import type { Sample } from '../../../src/stats/summarize.ts';
import { aggregateOf, all, armOf } from '../report/example-reports.ts';
import { choices } from './choices.ts';

const above = (a: readonly number[], b: readonly number[]) => b.flatMap((x) => a.filter((y) => x > y)).length;

/** The p-value by its definition: every re-assignment within every stratum is as likely as another. */
function pValueByEnumeration(strata: readonly Stratum[]): number {
  const sums = strata.reduce<readonly number[]>(
    (totals, { a, b }) => {
      const own = [...choices([...a, ...b], b.length)].map(([chosen, left]) => above(left, chosen));
      return totals.flatMap((total) => own.map((u) => total + u));
    },
    [0],
  );
  const mean = strata.reduce((sum, { a, b }) => sum + a.length * b.length, 0) / 2;
  const observed = strata.reduce((sum, { a, b }) => sum + above(a, b), 0);
  return sums.filter((sum) => Math.abs(sum - mean) >= Math.abs(observed - mean)).length / sums.length;
}

const distinct = (size: number) =>
  fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: size, maxLength: size });
const stratum = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })).chain(([m, n]) =>
  distinct(m + n).map((values): Stratum => ({
    a: values.slice(0, m) as unknown as Sample,
    b: values.slice(m) as unknown as Sample,
  })),
);

describe('a shift that several strata have in common', () => {
  test('is for one stratum what the test of Mann and Whitney and its interval give', () => {
    const a: Sample = [30, 41, 28, 55, 37, 33];
    const b: Sample = [35, 62, 44, 39, 58];
    const found = stratifiedShift([{ a, b }], 0.9);
    expect(found?.shift).toBe(hodgesLehmannShift(a, b));
    expect(found?.interval).toEqual(shiftInterval(a, b, 0.9));
    expect(found?.pValue).toBeCloseTo(mannWhitney(a, b).pValue, 12);
  });

  test('has the p-value that all re-assignments within the strata give', () => {
    fc.assert(
      fc.property(fc.array(stratum, { minLength: 1, maxLength: 3 }), (strata) => {
        const found = stratifiedShift(strata, 0.01);
        if (found !== undefined) expect(found.pValue).toBeCloseTo(pValueByEnumeration(strata), 10);
      }),
      { numRuns: 40 },
    );
  });

  test('does not depend on how far the strata lie apart', () => {
    const near: Stratum = { a: [1, 4, 6, 9], b: [3, 7, 8, 12] };
    const far: Stratum = { a: [1001, 1004, 1006, 1009], b: [1003, 1007, 1008, 1012] };
    expect(stratifiedShift([near, far], 0.9)).toEqual(stratifiedShift([near, near], 0.9));
  });

  test('is known more surely with every stratum', () => {
    const one: Stratum = { a: [1, 4, 6, 9], b: [3, 7, 8, 12] };
    const width = (strata: readonly Stratum[]) => {
      const interval = stratifiedShift(strata, 0.9)?.interval;
      return interval === undefined ? NaN : interval.high - interval.low;
    };
    expect(width([one, one, one, one])).toBeLessThan(width([one]));
  });

  test('has no interval where there are no values, or too few', () => {
    expect(stratifiedShift([], 0.95)).toBeUndefined();
    expect(stratifiedShift([{ a: [1], b: [2] }], 0.95)).toBeUndefined();
  });
});

const sigterm = 'trigger-to-sigterm';
function comparisonOf(shifts: readonly number[]): Comparison {
  const values: Sample = [30, 31, 32, 33, 34, 35];
  const armsOf = (moved: readonly number[]) =>
    ['drain', 'ignore', 'exit-now'].map((scenario, index) =>
      armOf(scenario, {
        tcp: all('drained-clean-close'),
        udp: all('severed (rehomed)'),
        repeats: values.length,
        values: { [sigterm]: values.map((value) => value + 1000 * index + (moved[index] ?? 0)) as unknown as Sample },
      }),
    );
  const arms = compareArms(aggregateOf({ arms: armsOf([0, 0, 0]) }), aggregateOf({ arms: armsOf(shifts) }), 0.95);
  const run = { run: 'r', name: 'r' };
  return { schemaVersion: 1, a: run, b: run, confidence: 0.95, differences: [], arms, finding: 'undecided' };
}

describe('all arms of a comparison together', () => {
  test('show a shift that is common to them, with the repeats of all', () => {
    const [only] = poolArms(comparisonOf([20, 20, 20]));
    expect(only).toMatchObject({ metric: sigterm, arms: 3, sizes: { a: 18, b: 18 }, floorMs: 10, finding: 'shifted' });
    expect(only && valueOf(only.shift)?.shift).toBe(20);
  });

  test('show that there is none where the interval lies within the floor', () => {
    expect(poolArms(comparisonOf([1, -1, 0]))).toMatchObject([{ finding: 'no-shift' }]);
  });
});

describe('a level of concurrency', () => {
  const pooledOf = (finding: PooledMetric['finding'], metric: string): PooledMetric => ({
    metric,
    arms: 5,
    sizes: { a: 50, b: 50 },
    floorMs: 10,
    shift: notMeasured('not of interest here'),
    finding,
    reason: null,
    moreRepeats: null,
  });
  const level = (lanes: number, ...others: readonly PooledMetric[]): LevelComparison => ({
    lanes,
    observing: unobserved,
    comparison: { ...comparisonOf([0, 0, 0]), finding: 'undecided' },
    pooled: [
      ...gateMetrics
        .filter((name) => !others.some(({ metric }) => metric === name))
        .map((name) => pooledOf('no-shift', name)),
      ...others,
    ],
  });

  test('is clean when every metric of the gate is shown not to shift, whatever else is undecided', () => {
    expect(levelFinding(level(5, pooledOf('undecided', 'trigger-to-first-udp-rehome')))).toBe('no-shift');
    expect(levelFinding(level(5, pooledOf('undecided', sigterm)))).toBe('undecided');
  });

  test('is not clean when anything shifted, in one arm or in all together', () => {
    expect(levelFinding(level(5, pooledOf('shifted', 'trigger-to-first-udp-rehome')))).toBe('shifted');
    expect(levelFinding({ ...level(5), comparison: { ...comparisonOf([0, 0, 0]), finding: 'shifted' } })).toBe(
      'shifted',
    );
  });

  test('is within the floors when no estimate of the gate lies beyond its own, sure or not', () => {
    const shifted = (shift: number, metric: string): PooledMetric => ({
      ...pooledOf('undecided', metric),
      shift: measured({
        shift,
        interval: { low: shift - 20, high: shift + 20, confidence: 0.95 },
        pValue: 1,
        adjustedPValue: 1,
      }),
    });
    const allAt = (lanes: number, shift: number) => level(lanes, ...gateMetrics.map((name) => shifted(shift, name)));
    expect(withinFloorsUpTo([allAt(2, 3), allAt(5, 9)])).toBe(5);
    expect(withinFloorsUpTo([allAt(2, 3), allAt(5, 11), allAt(8, 1)])).toBe(2);
    expect(withinFloorsUpTo([level(2)])).toBeNull();
  });

  test('counts as borne only when every lower level is clean as well', () => {
    const clean = [level(2), level(5)];
    expect(cleanUpTo([...clean, level(10, pooledOf('shifted', sigterm))])).toBe(5);
    expect(cleanUpTo([level(2, pooledOf('undecided', sigterm)), level(5)])).toBeNull();
    expect([aaFinding(clean), aaFinding([...clean, level(8, pooledOf('undecided', sigterm))])]).toEqual([
      'no-shift',
      'undecided',
    ]);
  });
});
