import { levelName, type LevelConditions, type VariedCondition } from '../domain/aa-level.ts';
import type { Provider } from '../domain/cluster.ts';
import { inputError } from '../domain/errors.ts';
import type { OptionalObservation } from '../domain/optional-observation.ts';
import type { Plan } from '../experiment/plan.ts';
import { numbered } from '../report/numbered-files.ts';
import type { MatrixFactors } from './matrix-factors.ts';

/** What is varied, a level each; the first is the reference. */
export type Variation =
  | { readonly varied: 'lanes'; readonly lanes: readonly number[] }
  | { readonly varied: 'observing'; readonly observing: readonly (readonly OptionalObservation[])[] };

/** A level of an A/A run, before it is planned. */
export interface AaLevelSpec extends LevelConditions {
  /** Names its folder, as `level-05` or `level-evidence`. */
  readonly id: string;
  /** What a reader calls it. */
  readonly name: string;
}

/** Milliseconds between two new connections at levels that dial them, where nothing else is asked for. */
const usualIntervalMs = 10;

/** What may be asked for beside the levels, and is not theirs to decide. */
export type AskedBesides = Pick<MatrixFactors, 'newConnections' | 'concurrency' | 'clusterReuse'>;

/** @throws {ActionableError} of kind `input` for what no level would heed. */
export function checkAskedBesides(variation: Variation, asked: AskedBesides): void {
  if (asked.clusterReuse === 'fresh-per-scenario') {
    throw inputError({
      expected: 'one cluster, on which all levels run in turns',
      found: '--cluster-reuse fresh-per-scenario',
      remedy: 'leave it out',
    });
  }
  if (variation.varied === 'lanes' && asked.concurrency !== undefined) {
    throw inputError({
      expected: 'the concurrency of each level in --levels',
      found: `--concurrency ${asked.concurrency} besides`,
      remedy: 'leave it out, or compare levels of --observing at that concurrency',
    });
  }
  if (variation.varied === 'observing') checkInterval(variation.observing.flat(), asked.newConnections);
}

function checkInterval(observations: readonly OptionalObservation[], intervalMs: number | undefined): void {
  const isDialled = observations.includes('new-connections');
  if (intervalMs === undefined || isDialled === intervalMs > 0) return;
  throw inputError({
    expected: '--new-connections to be the interval, in ms, of the levels that dial new connections',
    found: isDialled ? 'an interval of 0, which dials none' : 'no such level in --observing',
    remedy: isDialled ? 'give 1 or more, or leave it out' : 'add the level new-connections, or leave the interval out',
  });
}

/** What a cluster must be made for that all levels share. */
export function greatestDemand(variation: Variation) {
  switch (variation.varied) {
    case 'lanes':
      return { concurrency: Math.max(...variation.lanes) };
    case 'observing':
      return variation.observing.flat().includes('evidence') ? { evidence: true } : {};
    default:
      return variation satisfies never;
  }
}

/**
 * The levels of a planned run.
 *
 * @throws {ActionableError} of kind `input` for fewer than two levels, one twice, and what can't be observed.
 */
export function levelsOf(
  variation: Variation,
  { matrix, isolation }: Pick<Plan, 'matrix' | 'isolation'>,
  { name: provider, capabilities }: Pick<Provider, 'name' | 'capabilities'>,
): readonly AaLevelSpec[] {
  switch (variation.varied) {
    case 'lanes': {
      const { evidence, newConnectionIntervalMs } = matrix;
      const observing = { evidence, newConnectionIntervalMs };
      return distinct(
        variation.lanes.map((lanes) => specOf({ lanes, observing }, 'lanes', numbered(lanes))),
        'two levels of concurrency or more, each once',
        'name them as --levels 1,5,10; the first is the reference',
      );
    }
    case 'observing': {
      const asked = new Set(variation.observing.flat());
      if (asked.has('evidence') && !capabilities.has('cluster-configuration')) {
        throw inputError({
          expected: 'provider kind where evidence is to be compared',
          found: `provider ${provider}, which collects none`,
          remedy: 'use --provider kind, or leave evidence out of --observing',
        });
      }
      const intervalMs = matrix.newConnectionIntervalMs > 0 ? matrix.newConnectionIntervalMs : usualIntervalMs;
      return distinct(
        variation.observing.map((observations) => {
          const observing = {
            evidence: observations.includes('evidence'),
            newConnectionIntervalMs: observations.includes('new-connections') ? intervalMs : 0,
          };
          const words = observations.length === 0 ? 'off' : observations.toSorted().join('-and-');
          return specOf({ lanes: isolation.lanes, observing }, 'observing', words);
        }),
        'two levels of observing or more, each once',
        'name them as --observing off,evidence,new-connections; the first is the reference',
      );
    }
    default:
      return variation satisfies never;
  }
}

const specOf = (conditions: LevelConditions, varied: VariedCondition, word: string): AaLevelSpec => ({
  ...conditions,
  id: `level-${word}`,
  name: levelName(conditions, varied),
});

function distinct(levels: readonly AaLevelSpec[], expected: string, remedy: string): readonly AaLevelSpec[] {
  if (levels.length >= 2 && new Set(levels.map(({ id }) => id)).size === levels.length) return levels;
  throw inputError({ expected, found: levels.map(({ name }) => name).join(', '), remedy });
}

/** Names of what may differ between two levels, as `compareRuns` allows it. */
export function differencesBetween(a: LevelConditions, b: LevelConditions): readonly string[] {
  return [
    ...(a.lanes === b.lanes ? [] : ['concurrency']),
    ...(a.observing.evidence === b.observing.evidence ? [] : ['evidence']),
    ...(a.observing.newConnectionIntervalMs === b.observing.newConnectionIntervalMs
      ? []
      : ['new-connection-interval-ms']),
  ];
}
