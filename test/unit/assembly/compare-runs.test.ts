import { expect, test } from 'vitest';
import { compareRuns, type RunToCompare } from '../../../src/assembly/compare-runs.ts';
import { comparedArms } from '../../../src/domain/comparison.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import type { Matrix } from '../../../src/domain/matrix.ts';
import { measured } from '../../../src/domain/measured.ts';
import { aggregateOf, environment, exampleReport, matrix } from '../report/example-reports.ts';

interface Changes {
  readonly environment?: Partial<Environment>;
  readonly matrix?: Partial<Matrix>;
}

/** A stored run, as far as a comparison reads it. */
const run = (changes: Changes = {}): RunToCompare => ({
  name: 'a run',
  folder: {
    readAggregate: () => Promise.resolve(aggregateOf({ matrix: { ...matrix, ...changes.matrix } })),
    // eslint-disable-next-line @typescript-eslint/require-await -- the reports are at hand
    async *readTrials() {
      yield { ...exampleReport(1), environment: { ...environment, ...changes.environment } };
    },
  },
});

test('a run against itself differs in nothing and shifts nothing', async () => {
  const comparison = await compareRuns(run(), run(), []);
  expect(comparison.differences).toEqual([]);
  expect(comparison.arms.filter(({ status }) => status !== 'compared')).toEqual([]);
  expect(comparedArms(comparison).flatMap(({ outcomes }) => outcomes)).toEqual([]);
  expect(comparison.finding).not.toBe('shifted');
});

test('runs under other conditions or circumstances are refused, and the refusal names what to allow', async () => {
  const other = run({ matrix: { gracePeriodSeconds: 60 }, environment: { proxyMode: measured('nftables') } });
  const refusal = expect.objectContaining({ kind: 'input' }) as Error;
  await expect(compareRuns(run(), other, [])).rejects.toThrow(refusal);
  await expect(compareRuns(run(), other, [])).rejects.toThrow('grace-period-seconds,proxy-mode');
  await expect(compareRuns(run(), other, ['proxy-mode'])).rejects.toThrow('gracePeriodSeconds: 30 / 60');
});

test('what is allowed is compared and told', async () => {
  const other = run({ matrix: { gracePeriodSeconds: 60 } });
  const named = await compareRuns(run(), other, ['grace-period-seconds']);
  expect(named.differences).toEqual(['gracePeriodSeconds: 30 / 60']);
  expect((await compareRuns(run(), other, ['all'])).differences).toEqual(named.differences);
});

test('to allow what does not differ is refused: the caller expects another pair of runs', async () => {
  await expect(compareRuns(run(), run(), ['proxy-mode'])).rejects.toThrow('proxy-mode does not differ');
});

test('repeats, arms and names are no conditions, and what one run could not read differs from nothing', async () => {
  const other = run({
    matrix: { repeats: 9, name: 'other', scenarios: ['drain'] },
    environment: { cni: { status: 'not-measured', reason: 'no right' } },
  });
  expect((await compareRuns(run(), other, [])).differences).toEqual([]);
});
