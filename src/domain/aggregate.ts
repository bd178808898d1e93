import type { CauseCount } from './cause-count.ts';
import type { Environment } from './environment.ts';
import type { EventName } from './event.ts';
import type { LevelComparison } from './level-comparison.ts';
import type { Matrix } from './matrix.ts';
import type { Measured } from './measured.ts';
import type { PathSummary } from './path-summary.ts';
import type { Arm, ClockEvidence } from './trial.ts';

/** Order statistics of one arm's repeats. A field that n is too small for is absent. */
export interface Summary {
  readonly n: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
  /** Median absolute deviation, unscaled; absent for n = 1. */
  readonly mad?: number;
  /** The range as an interval of the true median: 1 - 2^(1-n); absent for n = 1. */
  readonly rangeConfidence?: number;
  readonly values: readonly number[];
}

export interface MetricAggregate {
  readonly metric: string;
  readonly summary: Measured<Summary>;
  /** Precisions that went into it: a statistic never mixes clocks silently. */
  readonly precisions: readonly string[];
  readonly notMeasured: readonly { readonly trial: string; readonly reason: string }[];
}

/** How many flows of one trial ended in one way. */
export interface OutcomeCount {
  readonly outcome: string;
  readonly flows: number;
}

/** A time after the trigger in which a watch was down: what happened meanwhile was told of late, or not at all. */
export interface WatchGap {
  readonly resource: string;
  readonly gapMs: Measured<number>;
  /** Events of that resource that were received in the gap or right after it: their times may be late by all of it. */
  readonly late: readonly EventName[];
}

export interface TrialSummary {
  readonly id: string;
  readonly firstOnCluster: boolean;
  readonly tcp: readonly OutcomeCount[];
  readonly udp: readonly OutcomeCount[];
  /** UDP flows that another pod answered, in whatever way they ended. */
  readonly udpRehomed: number;
  /** By path and protocol; absent in aggregates that are older than it, empty where none were dialled. */
  readonly newConnections?: readonly PathSummary[];
  /** Why flows were cut off; empty without evidence. */
  readonly causes: readonly CauseCount[];
  readonly exitCode: Measured<number>;
  /** How the probe's clock was related to the client's. */
  readonly clock: ClockEvidence['relation'];
  /** How late the client's stamps were that the flows' ends rest on, at most, in ms. */
  readonly stampDelayMs: number;
  readonly watchGaps: readonly WatchGap[];
  readonly unexpected: readonly string[];
  /** What of the expectation could not be judged, each with the reason. */
  readonly inconclusive: readonly string[];
}

/** The graver finding decides: an unexpected end, then what could not be judged or is not one experiment. */
export type ArmVerdict = 'as-expected' | 'not-as-expected' | 'inconclusive';

/** A complete arm. Disagreements between its repeats come before any number; drift voids the numbers. */
export interface ArmAggregate {
  readonly status: 'complete';
  readonly arm: Arm;
  readonly label: string;
  readonly verdict: ArmVerdict;
  /** Ways in which the repeats did not end alike. */
  readonly disagreements: readonly string[];
  /** Ways in which the repeats were not the same experiment. Any entry voids the statistics. */
  readonly drift: readonly string[];
  readonly trials: readonly TrialSummary[];
  readonly metrics: readonly MetricAggregate[];
}

/** An arm that is not averaged, and why. */
export interface AbsentArm {
  readonly status: 'discarded' | 'skipped';
  readonly arm: Arm;
  readonly label: string;
  readonly reason: string;
  readonly completeTrials: number;
}

export type ArmResult = ArmAggregate | AbsentArm;

export interface Aggregate {
  readonly schemaVersion: 1;
  readonly run: string;
  readonly matrix: Matrix;
  readonly startedAt: string;
  readonly wallSeconds: Measured<number>;
  /** Ways in which arms were measured under different circumstances. */
  readonly drift: readonly string[];
  readonly environment: Measured<Environment>;
  readonly arms: readonly ArmResult[];
  /** One for each factor that the run varies besides the scenario; none in aggregates that are older than them. */
  readonly comparisons: readonly LevelComparison[];
  readonly warmUps: number;
  readonly failedAttempts: readonly { readonly trial: string; readonly reason: string }[];
}
