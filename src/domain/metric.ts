import type { Measured } from './measured.ts';
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
  measure(trial: Trial): Measured<MetricSample>;
}
