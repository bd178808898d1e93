import { isDeepStrictEqual } from 'node:util';
import type { Aggregate } from '../domain/aggregate.ts';
import { findingOf, type ArmComparison, type Comparison, type MetricComparison } from '../domain/comparison.ts';
import type { Environment } from '../domain/environment.ts';
import { inputError } from '../domain/errors.ts';
import type { Matrix } from '../domain/matrix.ts';
import { isAskedFor } from '../domain/optional-observation.ts';
import { printable, shown } from '../domain/printable.ts';
import { aspectValues } from '../experiment/drift.ts';
import { metrics } from '../metrics/index.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { compareArms } from '../stats/compare-arms.ts';

/** What every interval is asked for; the rest of it is left to a false alarm among all tests. */
const confidence = 0.95;

/** A run to be compared, and what a reader calls it. */
export interface RunToCompare {
  readonly folder: Pick<RunFolder, 'readAggregate' | 'readTrials'>;
  readonly name: string;
}

/** Something in which two runs were not measured alike. */
interface Difference {
  /** As `--allow-differences` takes it. */
  readonly name: string;
  readonly text: string;
}

/**
 * Compares two stored runs, arm by arm: how far the second is from the first.
 *
 * @param allowed names of what may differ, or `all`
 * @throws {ActionableError} of kind `input` when the runs were not measured alike in anything else.
 */
export async function compareRuns(a: RunToCompare, b: RunToCompare, allowed: readonly string[]): Promise<Comparison> {
  const [ours, theirs] = [await a.folder.readAggregate(), await b.folder.readAggregate()];
  const differences = [
    ...differentConditions(ours.matrix, theirs.matrix),
    ...differentCircumstances(await environmentsOf(a.folder), await environmentsOf(b.folder)),
  ];
  refuseOthers(differences, allowed);
  const arms = compareArms(ours, theirs, confidence).map((arm) => withoutUnasked(arm, [ours.matrix, theirs.matrix]));
  return {
    schemaVersion: 1,
    a: { run: ours.run, name: a.name },
    b: { run: theirs.run, name: b.name },
    confidence,
    differences: [...differences.map(({ text }) => text), ...ownDrift(a, ours), ...ownDrift(b, theirs)],
    arms,
    finding: findingOf(arms),
  };
}

/** What only one of the runs was asked to observe is no difference between what they measured. */
function withoutUnasked(arm: ArmComparison, matrices: readonly Matrix[]): ArmComparison {
  if (arm.status === 'not-compared') return arm;
  const isAsked = ({ metric }: MetricComparison) => {
    const needs = needed.get(metric);
    return needs === undefined || matrices.every((matrix) => isAskedFor(needs, matrix));
  };
  return { ...arm, metrics: arm.metrics.filter(isAsked) };
}
const needed = new Map([...metrics].map(({ name, needs }) => [name, needs]));

/** What differs within one of the runs can't be told apart from what differs between them. */
const ownDrift = ({ name }: RunToCompare, { drift }: Aggregate): readonly string[] =>
  drift.map((text) => printable(`within ${name}: ${text}`));

/** What of a matrix is not a condition that its trials share: arms and repeats are compared each by itself. */
const noConditions: ReadonlySet<string> = new Set<keyof Matrix>([
  'name',
  'description',
  'scenarios',
  'proxyModes',
  'kubernetesVersions',
  'repeats',
  'clusterReuse',
]);

function differentConditions(a: Matrix, b: Matrix): readonly Difference[] {
  const names = (Object.keys(a) as (keyof Matrix)[]).filter((name) => !noConditions.has(name));
  return names
    .filter((name) => !isDeepStrictEqual(a[name], b[name]))
    .map((name) => ({
      name: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      text: `${name}: ${JSON.stringify(a[name])} / ${JSON.stringify(b[name])}`,
    }));
}

/** A run with several proxy modes and another one with the same are alike. What is unknown differs from nothing. */
function differentCircumstances(a: readonly Environment[], b: readonly Environment[]): readonly Difference[] {
  const theirs = new Map(aspectValues(b).map(({ name, values }) => [name, values]));
  return aspectValues(a).flatMap(({ name, values }) => {
    const others = theirs.get(name) ?? [];
    const isSame = isDeepStrictEqual(values.toSorted(), others.toSorted());
    if (values.length === 0 || others.length === 0 || isSame) return [];
    const text = printable(`${name}: ${values.join(', ')} / ${others.join(', ')}`);
    return [{ name: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), text }];
  });
}

async function environmentsOf(folder: RunToCompare['folder']): Promise<readonly Environment[]> {
  const environments: Environment[] = [];
  for await (const { environment } of folder.readTrials()) environments.push(environment);
  return environments;
}

function refuseOthers(differences: readonly Difference[], allowed: readonly string[]): void {
  if (allowed.includes('all')) return;
  const names = differences.map(({ name }) => name);
  const unknown = allowed.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const what = names.length === 0 ? 'the runs differ in nothing' : `the runs differ in ${names.join(', ')}`;
    throw inputError({
      expected: 'to allow only what differs',
      found: `${shown(unknown)} does not differ; ${what}`,
      remedy: 'leave it out',
    });
  }
  const others = differences.filter(({ name }) => !allowed.includes(name));
  if (others.length === 0) return;
  throw inputError({
    expected: 'two runs that were measured alike',
    found: `they differ in ${others.map(({ text }) => text).join('; ')}`,
    remedy: `if that is what you compare, add --allow-differences ${names.join(',')}`,
  });
}
