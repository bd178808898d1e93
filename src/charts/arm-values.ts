import type { Aggregate, ArmAggregate, Summary } from '../domain/aggregate.ts';
import { armLabeller, completeArms } from '../domain/arm-labels.ts';

/** One trial's value of a metric. */
export interface TrialValue {
  readonly value: number;
  /** Ran first on a fresh cluster. */
  readonly first: boolean;
}

/** A metric of a complete arm, as it is drawn: every trial's value, and what sums them up. */
export interface ArmValues {
  readonly arm: ArmAggregate;
  readonly label: string;
  readonly metric: string;
  readonly summary: Summary;
  /** In the order of the trials; shorter than `arm.trials` where some did not measure it. */
  readonly values: readonly TrialValue[];
}

/** The arms that have that metric, in the order of the run. */
export function armsWith(aggregate: Aggregate, metric: string): readonly ArmValues[] {
  const label = armLabeller(aggregate);
  return completeArms(aggregate).flatMap((arm) => {
    const found = arm.metrics.find((candidate) => candidate.metric === metric);
    if (found?.summary.status !== 'measured') return [];
    const absent = new Set(found.notMeasured.map(({ trial }) => trial));
    const trials = arm.trials.filter(({ id }) => !absent.has(id));
    const summary = found.summary.value;
    // a report whose counts disagree tells nothing of which trial was which
    const known = trials.length === summary.values.length;
    const values = summary.values.map((value, index) => ({
      value,
      first: known && trials[index]?.firstOnCluster === true,
    }));
    return [{ arm, label: label(arm), metric, summary, values }];
  });
}
