import type { ArmAggregate, ArmResult } from './aggregate.ts';
import type { Shift, ShiftFinding, WayCount } from './comparison.ts';
import type { Measured } from './measured.ts';
import type { Arm } from './trial.ts';

/** What a matrix varies besides the scenario. */
export const factors = ['proxy-mode', 'kubernetes-version'] as const;
export type Factor = (typeof factors)[number];

/** The level of a factor that an arm has; null where its matrix leaves it to the provider. */
export function levelOf({ proxyMode, kubernetesVersion }: Arm, factor: Factor): string | null {
  switch (factor) {
    case 'proxy-mode':
      return proxyMode;
    case 'kubernetes-version':
      return kubernetesVersion;
    default:
      return factor satisfies never;
  }
}

/** By how much a metric is greater at a level than at the reference, in ms. `adjustedPValue` is of its own family. */
export interface LevelShift extends Shift {
  /** Corrected for every test of the whole comparison. */
  readonly overallPValue: number;
}

/** `one-sided`: one of the two levels alone measured it, as re-homing where nothing else re-homes. */
export type LevelFinding = ShiftFinding | 'one-sided';

export interface LevelMetric {
  readonly metric: string;
  /** A shift of no more than this, in ms, is of no matter; null for a metric that this version knows no floor for. */
  readonly floorMs: number | null;
  readonly shift: Measured<LevelShift>;
  readonly finding: LevelFinding;
  /** Why it is neither shifted nor shown not to be; null otherwise. */
  readonly reason: string | null;
  /** How many more repeats on either side it takes at least to decide; null where it is decided or none would help. */
  readonly moreRepeats: number | null;
}

/** What a trial is compared by besides its metrics. The trial is the unit, not the flow. */
export const outcomeAspects = [
  'tcp-outcomes',
  'udp-outcomes',
  'udp-rehomed',
  'exit-code',
  'tcp-causes',
  'udp-causes',
] as const;
export type OutcomeAspect = (typeof outcomeAspects)[number];

/** What came out in other ways than at the reference. */
export interface LevelOutcome {
  readonly aspect: OutcomeAspect;
  readonly reference: readonly WayCount[];
  readonly level: readonly WayCount[];
  /** Exact, of these ways alone; null for more repeats than exact tests take. */
  readonly pValue: number | null;
  /** The same, corrected for the levels that this scenario's aspect is compared at. */
  readonly adjustedPValue: number | null;
  readonly finding: ShiftFinding;
}

/** One level against the reference, in one scenario. */
export type LevelDifference =
  | {
      readonly status: 'compared';
      readonly level: string;
      readonly repeats: { readonly reference: number; readonly level: number };
      readonly outcomes: readonly LevelOutcome[];
      /** Metrics that at least one of the two measured. */
      readonly metrics: readonly LevelMetric[];
    }
  | { readonly status: 'not-compared'; readonly level: string; readonly reason: string };

export type ComparedLevel = Extract<LevelDifference, { status: 'compared' }>;

/** One scenario at every level, all else alike. */
export interface LevelRow {
  readonly scenario: string;
  /** A reader's label, with the levels of the other factor where the run varies it. */
  readonly label: string;
  /** Identifiers of arms, a level each; a level without one was no part of the run. */
  readonly arms: readonly { readonly level: string; readonly arm: string }[];
  /** Every level but the reference. */
  readonly against: readonly LevelDifference[];
}

/** The arms of a run by the level of one factor: how each level differs from the first one that has numbers. */
export interface LevelComparison {
  readonly factor: Factor;
  /** In the order of the matrix. */
  readonly levels: readonly string[];
  readonly reference: string;
  /** Asked for of every interval; the rest of it is left to a false difference in each family. */
  readonly confidence: number;
  /** Shifts that were tested. */
  readonly tests: number;
  /** In what else the levels were not measured alike, each a line: a difference may be of that. */
  readonly alsoDiffer: readonly string[];
  readonly rows: readonly LevelRow[];
}

/** The arm of a row at a level, in the aggregate that holds both. */
export function armAt(arms: readonly ArmResult[], row: LevelRow, level: string): ArmResult | undefined {
  const id = row.arms.find((one) => one.level === level)?.arm;
  return id === undefined ? undefined : arms.find(({ arm }) => arm.id === id);
}

/** A row's complete arms, with their levels. */
export const completeLevels = (
  arms: readonly ArmResult[],
  row: LevelRow,
): readonly { readonly level: string; readonly arm: ArmAggregate }[] =>
  row.arms.flatMap(({ level }) => {
    const arm = armAt(arms, row, level);
    return arm?.status === 'complete' ? [{ level, arm }] : [];
  });

export const comparedLevels = ({ rows }: Pick<LevelComparison, 'rows'>): readonly ComparedLevel[] =>
  rows.flatMap(({ against }) => against.filter((difference) => difference.status === 'compared'));
