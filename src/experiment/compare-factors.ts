import { isDeepStrictEqual } from 'node:util';
import type { ArmResult } from '../domain/aggregate.ts';
import type { Environment } from '../domain/environment.ts';
import { factors, levelOf, type Factor, type LevelComparison } from '../domain/level-comparison.ts';
import type { Matrix } from '../domain/matrix.ts';
import { printable } from '../domain/printable.ts';
import { compareLevels } from '../stats/compare-levels.ts';
import { aspectValues } from './drift.ts';
import { conditionsOf } from './plan.ts';
import type { TrialDigest } from './trial-digest.ts';

/** What every interval is asked for; the rest of it is left to a false difference in each family of tests. */
const confidence = 0.95;

/** Compares the arms by every factor besides the scenario that has more than one level. */
export function compareFactors(
  arms: readonly ArmResult[],
  trials: readonly TrialDigest[],
  matrix: Matrix,
): readonly LevelComparison[] {
  const { udpIntervalMs } = conditionsOf(matrix);
  return factors.flatMap((factor) => {
    const comparison = compareLevels(arms, { factor, confidence, udpIntervalMs });
    if (comparison === undefined) return [];
    const { levels } = comparison;
    return [{ ...comparison, alsoDiffer: otherDifferences(levels, environmentsAt(factor, arms, trials), factor) }];
  });
}

/** Distinct ones of a level's trials, in their order. */
function environmentsAt(
  factor: Factor,
  arms: readonly ArmResult[],
  trials: readonly TrialDigest[],
): (level: string) => readonly Environment[] {
  const levels = new Map(arms.map(({ arm }) => [arm.id, levelOf(arm, factor)]));
  return (level) => [
    ...new Set(trials.filter(({ arm }) => levels.get(arm) === level).map(({ environment }) => environment)),
  ];
}

/** What is the factor itself, by the names of drift. */
const own: Readonly<Record<Factor, ReadonlySet<string>>> = {
  'proxy-mode': new Set(['proxy mode']),
  'kubernetes-version': new Set(['Kubernetes version', 'kubelet', 'node image']),
};

/** Aspects of the environment, besides the factor, that have not the same values at all levels where they are known. */
function otherDifferences(
  levels: readonly string[],
  environmentsOf: (level: string) => readonly Environment[],
  factor: Factor,
): readonly string[] {
  const byLevel = levels.map((level) => {
    const values = new Map(aspectValues(environmentsOf(level)).map((aspect) => [aspect.name, aspect.values]));
    return { level, values };
  });
  const names = new Set(byLevel.flatMap(({ values }) => [...values.keys()]));
  return [...names].flatMap((name) => {
    if (own[factor].has(name)) return [];
    const known = byLevel.flatMap(({ level, values }) => {
      const found = values.get(name)?.toSorted() ?? [];
      return found.length === 0 ? [] : [{ level, found }];
    });
    if (known.every(({ found }) => isDeepStrictEqual(found, known[0]?.found))) return [];
    return [printable(`${name}: ${known.map(({ level, found }) => `${found.join(', ')} (${level})`).join(' / ')}`)];
  });
}
