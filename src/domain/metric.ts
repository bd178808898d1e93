import type { Measured } from './measured.ts';
import type { OptionalObservation } from './optional-observation.ts';
import type { MetricSample, Trial } from './trial.ts';

/** A number read off one trial. Pure. */
export interface Metric {
  readonly name: string;
  /** A table's heading, short. */
  readonly label: string;
  readonly description: string;
  readonly unit: 'ms';
  readonly better: 'lower' | 'higher' | 'neither';
  /** The published run's name for the same quantity, where it had one. */
  readonly publishedAs: string | null;
  /** What its matrix must ask for, for the metric to be measured; absent: every trial observes what it needs. */
  readonly needs?: OptionalObservation;
  measure(trial: Trial): Measured<MetricSample>;
}
