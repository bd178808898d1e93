import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { comparisonStatuses } from '../../../src/assembly/comparison-status.ts';
import { comparedArms } from '../../../src/domain/comparison.ts';
import { aaResultSchema } from '../../../src/report/comparison/aa-schema.ts';
import { startCli, temporaryFolder } from './command.ts';

const stored = resolve('docs/results/standard-kind-v1.34.0');

test('aa runs each level as a run of its own, compares it with the first, and ends with the finding’s status', async () => {
  const folder = temporaryFolder();
  const conditions = ['--scenarios', 'exit-now', '--repeats', '4', '--settle', '0.5', '--trailing', '0.2'];
  const aa = await startCli(
    ['aa', '--provider', 'local', '--levels', '1,2', ...conditions, '-o', 'aa', '--json'],
    folder,
  );
  const result = aaResultSchema.parse(JSON.parse(aa.stdout));
  expect(aa.exitCode).toBe(comparisonStatuses[result.finding]);
  expect(result.levels.map(({ lanes, trials }) => [lanes, trials])).toEqual([
    [1, 4],
    [2, 4],
  ]);
  expect(result.comparisons.map(({ comparison }) => comparison.differences)).toEqual([['concurrency: 1 / 2']]);
  expect(JSON.parse(readFileSync(join(folder, 'aa', 'comparison.json'), 'utf8'))).toEqual(result);
  const again = await startCli(
    ['compare', 'aa/level-01', 'aa/level-02', '--allow-differences', 'concurrency', '--json'],
    folder,
  );
  expect(JSON.parse(again.stdout)).toMatchObject({ arms: result.comparisons[0]?.comparison.arms });
});

test('aa refuses a single level, and more lanes than trials, and leaves nothing behind', async () => {
  const folder = temporaryFolder();
  for (const levels of ['1', '1,50']) {
    const refused = await startCli(['aa', '--provider', 'local', '--levels', levels, '-o', 'aa'], folder);
    expect(refused.exitCode).toBe(2);
    expect(existsSync(join(folder, 'aa'))).toBe(false);
  }
});

test('aa compares observing: the level that dials with the one that does not, by what both measure', async () => {
  const folder = temporaryFolder();
  const conditions = ['--scenarios', 'exit-now', '--repeats', '4', '--settle', '0.5', '--trailing', '0.2'];
  const observing = ['--observing', 'off,new-connections', '--new-connections', '20', '--concurrency', '2'];
  const aa = await startCli(['aa', '--provider', 'local', ...observing, ...conditions, '-o', 'aa', '--json'], folder);
  const result = aaResultSchema.parse(JSON.parse(aa.stdout));
  expect(aa.exitCode).toBe(comparisonStatuses[result.finding]);
  expect(result).toMatchObject({
    varied: 'observing',
    levels: [
      { lanes: 2, trials: 4, observing: { newConnectionIntervalMs: 0 } },
      { lanes: 2, trials: 4, observing: { newConnectionIntervalMs: 20 } },
    ],
    cleanUpToLanes: null,
  });
  const [comparison] = result.comparisons.map((level) => level.comparison);
  expect(comparison?.differences).toEqual(['newConnectionIntervalMs: 0 / 20']);
  const [arm] = comparison === undefined ? [] : comparedArms(comparison);
  const names = arm?.metrics.map(({ metric }) => metric) ?? [];
  expect(names).toContain('trigger-to-sigterm');
  expect(names.filter((name) => name.startsWith('new-'))).toEqual([]);
  const dialled = readFileSync(join(folder, 'aa', 'level-new-connections', 'trials.csv'), 'utf8');
  expect(dialled).toMatch(/new-tcp-first-failure,ms,[\d.]+,/);
  expect(readFileSync(join(folder, 'aa', 'comparison.md'), 'utf8')).toContain(
    'with new connections every 20 ms against without observing',
  );
});

test('aa refuses what can not be compared, or would be passed over, in a line, and leaves nothing behind', async () => {
  const folder = temporaryFolder();
  for (const [bad, word] of [
    [['--observing', 'off'], 'two levels'],
    [['--observing', 'off,off'], 'once'],
    [['--observing', 'off,conntrack'], 'new-connections'],
    [['--observing', 'off,evidence'], '--provider kind'],
    [['--observing', 'off,new-connections', '--new-connections', '0'], 'dials none'],
    [['--observing', 'off,new-connections', '--levels', '1,2'], '--levels'],
    [['--levels', '1,2', '--concurrency', '2'], '--levels'],
    [['--cluster-reuse', 'fresh-per-scenario'], 'one cluster'],
  ] as const) {
    const refused = await startCli(['aa', '--provider', 'local', ...bad, '-o', 'aa'], folder);
    expect([bad, refused.exitCode]).toEqual([bad, 2]);
    expect(refused.stderr).toContain(word);
    expect(existsSync(join(folder, 'aa'))).toBe(false);
  }
});

test('compare refuses runs that were measured under other conditions', async () => {
  const other = resolve('docs/results/demo-local');
  const { exitCode, stderr } = await startCli(['compare', stored, other], temporaryFolder());
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--allow-differences');
});
