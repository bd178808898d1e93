import { describe, expect, test } from 'vitest';
import type { ArmResult } from '../../../src/domain/aggregate.ts';
import type { Cause } from '../../../src/domain/flow-cause.ts';
import { comparedLevels, type LevelMetric } from '../../../src/domain/level-comparison.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { compareLevels } from '../../../src/stats/compare-levels.ts';
import type { Sample } from '../../../src/stats/summarize.ts';
import { all, armOf } from '../report/example-reports.ts';
import { armAtLevel, comparisonOf, modeArms, rehomedDrain, skippedArm, versionArms } from '../report/level-examples.ts';

const sigterm = 'trigger-to-sigterm';
const near: Sample = [30, 31, 32, 33, 34];
const far: Sample = [60, 61, 62, 63, 64];
const drained = { tcp: all('drained-clean-close'), udp: all('severed (rehomed)'), udpRehomed: 10 };

/** Arms of one scenario, a mode each, that differ in one metric. */
const arms = (metric: string, samples: Readonly<Record<string, Sample>>): readonly ArmResult[] =>
  Object.entries(samples).map(([proxyMode, sample]) =>
    armAtLevel('drain', { proxyMode }, { ...drained, repeats: sample.length, values: { [metric]: sample } }),
  );
const metricAt = (found: ReturnType<typeof comparisonOf>, level: string, name = sigterm): LevelMetric | undefined =>
  comparedLevels(found)
    .find((one) => one.level === level)
    ?.metrics.find(({ metric }) => metric === name);

test('a run with one level of a factor, or none, has nothing to compare', () => {
  const options = { factor: 'proxy-mode', confidence: 0.95, udpIntervalMs: 20 } as const;
  expect(compareLevels([armOf('drain', drained)], options)).toBeUndefined();
  expect(compareLevels(modeArms, { ...options, factor: 'kubernetes-version' })).toBeUndefined();
});

describe('the reference', () => {
  test('is the first level, in the order of the matrix', () => {
    expect(comparisonOf(modeArms)).toMatchObject({
      reference: 'iptables',
      levels: ['iptables', 'nftables', 'cilium', 'ipvs'],
    });
  });

  test('is the first that has numbers, where the first could not run', () => {
    const found = [skippedArm('drain', { proxyMode: 'ipvs' }, 'no module'), ...arms(sigterm, { a: near, b: far })];
    expect(comparisonOf(found).reference).toBe('a');
  });
});

describe('a level', () => {
  test('that was skipped is not compared, with the reason', () => {
    const [row] = comparisonOf(modeArms).rows;
    expect(row?.against.at(-1)).toEqual({
      status: 'not-compared',
      level: 'ipvs',
      reason: 'skipped: the kernel has no ip_vs module',
    });
  });

  test('whose repeats drifted is not compared', () => {
    const [first, second] = arms(sigterm, { a: near, b: far });
    if (first === undefined || second?.status !== 'complete') throw new Error('there are two');
    const [row] = comparisonOf([first, { ...second, drift: ['CNI differs'] }]).rows;
    expect(row?.against).toMatchObject([{ status: 'not-compared', reason: 'its repeats drifted: CNI differs' }]);
  });
});

describe('a shift', () => {
  test('between samples of five that have nothing in common is shown at three levels, but not over many questions', () => {
    const names = metrics.names();
    const values = (sample: Sample) => Object.fromEntries(names.map((name) => [name, sample]));
    const found = comparisonOf(
      ['a', 'b', 'c'].map((proxyMode) =>
        armAtLevel('drain', { proxyMode }, { ...drained, values: values(proxyMode === 'c' ? far : near) }),
      ),
    );
    const metric = metricAt(found, 'c');
    expect(metric?.finding).toBe('shifted');
    expect(metric?.shift).toMatchObject({ value: { shift: 30 } });
    const { pValue, adjustedPValue, overallPValue } =
      metric?.shift.status === 'measured' ? metric.shift.value : { pValue: 1, adjustedPValue: 1, overallPValue: 0 };
    expect(pValue).toBeCloseTo(2 / 252, 12);
    expect(adjustedPValue).toBeCloseTo(4 / 252, 12);
    expect(overallPValue).toBeGreaterThan(0.05);
    expect(found.tests).toBe(2 * names.length);
  });

  test('that is no more than the floor is none, however sure it is', () => {
    const found = comparisonOf(arms(sigterm, { a: near, b: [35, 36, 37, 38, 39] }));
    expect(metricAt(found, 'b')?.finding).not.toBe('shifted');
  });

  test('is undecided between so few repeats that no test could tell, and says how many more it takes', () => {
    const found = comparisonOf(arms(sigterm, { a: [1, 2, 3], b: [1001, 1002, 1003] }));
    expect(metricAt(found, 'b')).toMatchObject({ finding: 'undecided', moreRepeats: 1 });
  });

  test('of what one level alone measured is one-sided, and no test', () => {
    const found = comparisonOf([...arms(sigterm, { a: near }), ...arms('dead-endpoint-window', { b: far })]);
    expect(metricAt(found, 'b')).toMatchObject({ finding: 'one-sided', shift: { status: 'not-measured' } });
    expect(found.tests).toBe(0);
  });
});

describe('outcomes', () => {
  test('differ by which a trial had, not by how many flows had each', () => {
    const mixed = (refused: number) => [
      { outcome: 'severed (icmp-unreachable)', flows: refused },
      { outcome: 'severed (silence)', flows: 10 - refused },
    ];
    const at = (proxyMode: string, udp: Parameters<typeof armOf>[1]['udp']) =>
      armAtLevel('drain', { proxyMode }, { ...drained, udp, udpRehomed: 0 });
    expect(comparedLevels(comparisonOf([at('a', mixed(3)), at('b', mixed(7))]))).toMatchObject([{ outcomes: [] }]);
    expect(comparedLevels(comparisonOf([at('a', mixed(3)), at('b', all('severed (silence)'))]))).toMatchObject([
      { outcomes: [{ aspect: 'udp-outcomes', finding: 'shifted' }] },
    ]);
  });

  test('between two repeats each are undecided, however different', () => {
    const at = (proxyMode: string, tcp: string) =>
      armAtLevel('drain', { proxyMode }, { ...drained, tcp: all(tcp), repeats: 2 });
    const found = comparisonOf([at('a', 'severed (rst)'), at('b', 'read-timeout')]);
    expect(comparedLevels(found)).toMatchObject([{ outcomes: [{ aspect: 'tcp-outcomes', finding: 'undecided' }] }]);
  });

  test('include why flows were cut off, where evidence tells', () => {
    const at = (proxyMode: string, cause: Cause) => {
      const arm = armAtLevel('drain', { proxyMode }, rehomedDrain());
      const counted = {
        protocol: 'udp',
        outcome: 'severed (rehomed)',
        cause,
        by: null,
        flows: 10,
        contradicted: 0,
      } as const;
      return { ...arm, trials: arm.trials.map((trial) => ({ ...trial, causes: [counted] })) };
    };
    const found = comparisonOf([at('a', 'conntrack-cleared-rehomed'), at('b', 'unknown')]);
    expect(comparedLevels(found)).toMatchObject([{ outcomes: [{ aspect: 'udp-causes', finding: 'shifted' }] }]);
  });

  test('of more repeats than exact tests take are told, and not judged', () => {
    const at = (proxyMode: string, tcp: string) =>
      armAtLevel('drain', { proxyMode }, { ...drained, tcp: all(tcp), repeats: 1100 });
    const found = comparisonOf([at('a', 'severed (rst)'), at('b', 'read-timeout')]);
    expect(comparedLevels(found)).toMatchObject([{ outcomes: [{ finding: 'undecided', adjustedPValue: null }] }]);
  });

  test('that are the same everywhere are no difference', () => {
    const at = (proxyMode: string) => armAtLevel('drain', { proxyMode }, rehomedDrain());
    expect(comparedLevels(comparisonOf([at('a'), at('b')]))).toMatchObject([{ outcomes: [] }]);
  });
});

test('levels are compared with all else alike: a row a scenario and level of the other factor', () => {
  const found = comparisonOf(versionArms, 'kubernetes-version');
  expect(found.rows.map(({ label }) => label)).toEqual(['drains · delete · iptables', 'drains · delete · nftables']);
  expect(found.rows.map(({ arms: cells }) => cells.map(({ arm }) => arm))).toEqual([
    ['drain.iptables.v1.34', 'drain.iptables.v1.37'],
    ['drain.nftables.v1.34', 'drain.nftables.v1.37'],
  ]);
});
