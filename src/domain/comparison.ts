import type { Summary } from './aggregate.ts';
import type { Measured } from './measured.ts';
import type { Arm } from './trial.ts';

/** From `low` to `high` ms, both included; `confidence` is what it really has, 0 to 1. */
export interface ShiftInterval {
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** By how much a metric is greater in `b` than in `a`, in ms. */
export interface Shift {
  readonly shift: number;
  readonly interval: ShiftInterval;
  /** Two-sided, exact, of this metric alone. */
  readonly pValue: number;
  /** The same, corrected for the number of metrics that are compared together. */
  readonly adjustedPValue: number;
}

/** `no-shift` is shown, not assumed: the whole interval lies within the floor. */
export type ShiftFinding = 'no-shift' | 'shifted' | 'undecided';

export interface MetricComparison {
  readonly metric: string;
  readonly a: Measured<Summary>;
  readonly b: Measured<Summary>;
  /** A shift of no more than this, in ms, is of no matter; null for a metric that this version knows no floor for. */
  readonly floorMs: number | null;
  readonly shift: Measured<Shift>;
  readonly finding: ShiftFinding;
  /** Why it is undecided; null otherwise. */
  readonly reason: string | null;
  /** How many more repeats on either side it takes at least to decide; null where it is decided or none would help. */
  readonly moreRepeats: number | null;
}

/** A metric over all arms together, each with its own distribution and all with one shift. */
export interface PooledMetric extends Omit<MetricComparison, 'a' | 'b'> {
  /** Arms in which both runs measured it. */
  readonly arms: number;
  /** Repeats of all these arms. */
  readonly sizes: { readonly a: number; readonly b: number };
}

/** In how many trials something came out in this way. */
export interface WayCount {
  readonly way: string;
  readonly trials: number;
}

/** What came out in different ways. */
export interface OutcomeDifference {
  /** As `TCP outcomes`. */
  readonly aspect: string;
  readonly a: readonly WayCount[];
  readonly b: readonly WayCount[];
  /** Exact, of these ways alone. */
  readonly pValue: number;
  /** `no-shift`: no more than chance makes. Where a scenario's expectation held in one of the two only it is `shifted`. */
  readonly finding: ShiftFinding;
}

export interface ComparedArm {
  readonly status: 'compared';
  readonly arm: Arm;
  readonly label: string;
  /** Repeats of each. */
  readonly repeats: { readonly a: number; readonly b: number };
  readonly outcomes: readonly OutcomeDifference[];
  /** Metrics that at least one of them measured. */
  readonly metrics: readonly MetricComparison[];
}

/** An arm that one of the two runs has no numbers for. */
export interface UncomparedArm {
  readonly status: 'not-compared';
  readonly arm: Arm;
  readonly label: string;
  readonly reason: string;
}

export type ArmComparison = ComparedArm | UncomparedArm;

/** One of two runs that are compared. */
export interface ComparedRun {
  readonly run: string;
  /** What a reader calls it, as `5 lanes`. */
  readonly name: string;
}

/** Two runs, arm by arm: how far `b` is from `a`. */
export interface Comparison {
  readonly schemaVersion: 1;
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  /** Asked for of every interval, and left to the whole of all tests: 0.95 and the rest of it. */
  readonly confidence: number;
  /** In what the two were not measured alike, each a line; a shift may be of it. */
  readonly differences: readonly string[];
  readonly arms: readonly ArmComparison[];
  readonly finding: ShiftFinding;
}

export const comparedArms = ({ arms }: Pick<Comparison, 'arms'>): readonly ComparedArm[] =>
  arms.filter((arm) => arm.status === 'compared');

/** The graver finding decides: something shifted or came out in another way, then what could not be decided. */
export function findingOf(arms: readonly ArmComparison[]): ShiftFinding {
  const compared = comparedArms({ arms });
  const has = (finding: ShiftFinding) =>
    compared.some(({ metrics, outcomes }) => [...metrics, ...outcomes].some((each) => each.finding === finding));
  if (has('shifted')) return 'shifted';
  // two runs without an arm in common have shown nothing
  return has('undecided') || compared.length === 0 || compared.length < arms.length ? 'undecided' : 'no-shift';
}
