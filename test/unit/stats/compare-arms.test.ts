import { describe, expect, test } from 'vitest';
import type { ArmResult, TrialSummary } from '../../../src/domain/aggregate.ts';
import { findingOf, type MetricComparison } from '../../../src/domain/comparison.ts';
import { shiftFloorMs } from '../../../src/domain/shift-floor.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { compareArms } from '../../../src/stats/compare-arms.ts';
import { compareOutcomes } from '../../../src/stats/compare-outcomes.ts';
import { freemanHalton } from '../../../src/stats/freeman-halton.ts';
import type { Sample } from '../../../src/stats/summarize.ts';
import { aggregateOf, all, armOf } from '../report/example-reports.ts';

const arm = (values: Readonly<Record<string, Sample>>, repeats: number) =>
  armOf('drain', { tcp: all('drained-clean-close'), udp: all('severed (rehomed)'), repeats, values });
const compare = (a: readonly ArmResult[], b: readonly ArmResult[]) =>
  compareArms(aggregateOf({ arms: a }), aggregateOf({ arms: b }), 0.95);

/** The comparison of one metric, `b` against `a`. */
function compareMetric(metric: string, a: Sample, b: Sample): MetricComparison {
  const [first] = compare([arm({ [metric]: a }, a.length)], [arm({ [metric]: b }, b.length)]);
  if (first?.status !== 'compared') throw new Error('the arms are comparable');
  const [only] = first.metrics;
  if (only === undefined) throw new Error('the metric was compared');
  return only;
}

const sigterm = 'trigger-to-sigterm';

describe('a metric', () => {
  test('has no shift when the whole interval lies within the floor', () => {
    expect(compareMetric(sigterm, [30, 31, 32, 33, 34], [31, 32, 33, 34, 35])).toMatchObject({
      finding: 'no-shift',
      reason: null,
      moreRepeats: null,
      floorMs: 10,
    });
  });

  test('is shifted when the difference is significant and greater than the floor', () => {
    const comparison = compareMetric(sigterm, [30, 31, 32, 33, 34], [60, 61, 62, 63, 64]);
    expect(comparison.finding).toBe('shifted');
    expect(comparison.shift).toMatchObject({ value: { shift: 30 } });
  });

  test('is undecided when the interval reaches beyond the floor, and takes more repeats the closer the shift is to it', () => {
    const near = compareMetric(sigterm, [10, 20, 30, 40, 50], [17, 27, 37, 47, 57]);
    const far = compareMetric(sigterm, [10, 20, 30, 40, 50], [11, 21, 31, 41, 51]);
    expect([near.finding, far.finding]).toEqual(['undecided', 'undecided']);
    expect(near.moreRepeats ?? 0).toBeGreaterThan(far.moreRepeats ?? 0);
    expect(far.moreRepeats ?? 0).toBeGreaterThan(0);
  });

  test('is undecided with so few repeats that no test could tell, however far apart they are', () => {
    const comparison = compareMetric(sigterm, [1, 2, 3], [1001, 1002, 1003]);
    expect(comparison).toMatchObject({ finding: 'undecided', moreRepeats: 1, shift: { status: 'not-measured' } });
  });

  test('is undecided where only one run measured it, and no repeat would mend that', () => {
    const [first] = compare([arm({ [sigterm]: [1, 2, 3, 4] }, 4)], [arm({}, 4)]);
    expect(first).toMatchObject({ metrics: [{ metric: sigterm, finding: 'undecided', moreRepeats: null }] });
  });

  test('is corrected for all that are compared: the same samples are shifted alone and undecided among many', () => {
    const [near, far]: readonly [Sample, Sample] = [
      [30, 31, 32, 33, 34],
      [60, 61, 62, 63, 64],
    ];
    const names = metrics.names();
    const values = (sample: Sample) => Object.fromEntries(names.map((name) => [name, sample]));
    const same = values(near);
    const [first] = compare([arm(same, 5)], [arm({ ...same, [sigterm]: far }, 5)]);
    const among = first?.status === 'compared' ? first.metrics.find(({ metric }) => metric === sigterm) : undefined;
    expect(compareMetric(sigterm, near, far).finding).toBe('shifted');
    expect(among).toMatchObject({ finding: 'undecided' });
    expect(among?.moreRepeats ?? 0).toBeGreaterThan(0);
  });
});

test('every registered metric has a floor', () => {
  const lacking = metrics.names().filter((name) => shiftFloorMs(name, { udpIntervalMs: 15 }) === undefined);
  expect(lacking).toEqual([]);
  expect(shiftFloorMs('constructor', { udpIntervalMs: 15 })).toBeUndefined();
  expect(shiftFloorMs('trigger-to-first-udp-end', { udpIntervalMs: 15 })).toBe(165);
});

describe('arms', () => {
  test('of different proxy modes belong together by their scenario', () => {
    const ours = arm({}, 5);
    const theirs = { ...ours, arm: { ...ours.arm, id: 'drain.nftables', proxyMode: 'nftables' } };
    expect(compare([ours], [theirs])).toMatchObject([{ status: 'compared' }]);
  });

  test('that only one run has, or that drifted, are not compared, and leave the whole undecided', () => {
    const ours = arm({}, 5);
    const drifted = { ...ours, drift: ['kernels differ'] };
    for (const arms of [compare([ours], []), compare([ours], [drifted])]) {
      expect(arms).toMatchObject([{ status: 'not-compared' }]);
      expect(findingOf(arms)).toBe('undecided');
    }
  });

  test('that both runs skipped are left out', () => {
    const { arm: name, label } = arm({}, 5);
    const skipped = { status: 'skipped', arm: name, label, reason: 'no cluster', completeTrials: 0 } as const;
    expect(compare([skipped], [skipped])).toEqual([]);
  });
});

describe('outcomes', () => {
  const trial = (outcome: string, unexpected: readonly string[] = []): TrialSummary => {
    const [first] = armOf('drain', { tcp: all(outcome), udp: [] }).trials;
    if (first === undefined) throw new Error('an arm has trials');
    return { ...first, unexpected };
  };
  const several = (count: number, ...rest: Parameters<typeof trial>) =>
    Array.from({ length: count }, () => trial(...rest));

  test('that came out in the same ways as often do not differ, whatever the number of repeats', () => {
    expect(compareOutcomes(several(5, 'severed (rst)'), several(3, 'severed (rst)'), 0.05)).toEqual([]);
  });

  test('that have nothing in common are another result', () => {
    const found = compareOutcomes(several(5, 'severed (rst)'), several(5, 'read-timeout'), 0.05);
    expect(found).toMatchObject([{ aspect: 'TCP outcomes', finding: 'shifted' }]);
    expect(found[0]?.pValue).toBeCloseTo(2 / 252, 12);
  });

  test('that differ in one trial of many are told, and held against nothing', () => {
    const found = compareOutcomes(
      several(5, 'severed (rst)'),
      [...several(4, 'severed (rst)'), trial('severed (unannounced-fin)')],
      0.05,
    );
    expect(found).toMatchObject([{ finding: 'no-shift', pValue: 1 }]);
  });

  test('that differ between too few repeats are undecided', () => {
    expect(compareOutcomes(several(2, 'severed (rst)'), several(2, 'read-timeout'), 0.05)).toMatchObject([
      { finding: 'undecided' },
    ]);
  });

  test('of which one run alone has a trial outside its expectation are another result, whatever chance says', () => {
    const b = [...several(4, 'severed (rst)'), trial('severed (rst)', ['exit code 1; expected 0'])];
    expect(compareOutcomes(several(5, 'severed (rst)'), b, 0.05)).toMatchObject([
      { aspect: 'expectation', finding: 'shifted' },
    ]);
  });
});

test('Fisher’s tea tasting has 34 / 70, and three categories that are shared evenly have 1', () => {
  expect(
    freemanHalton([
      [3, 1],
      [1, 3],
    ]),
  ).toBeCloseTo(34 / 70, 12);
  expect(
    freemanHalton([
      [2, 2],
      [3, 3],
      [1, 1],
    ]),
  ).toBeCloseTo(1, 12);
  expect(
    freemanHalton([
      [4, 0],
      [0, 4],
    ]),
  ).toBeCloseTo(2 / 70, 12);
});
