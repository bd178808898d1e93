import type { Aggregate } from './aggregate.ts';
import type { ChartSpec } from './chart-spec.ts';
import type { Metric } from './metric.ts';
import type { TrialReport } from './trial.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** What a chart may be drawn from. */
export interface ChartInput {
  readonly aggregate: Aggregate;
  /** Measured trials, of all arms; a chart of one trial finds it here. */
  readonly reports: readonly TrialReport[];
  /** Names in a reader's words. */
  readonly metrics: Iterable<Metric>;
  readonly theme: Theme;
}

/** A picture of a result. Pure: the same input gives the same spec, and nothing is rendered. */
export interface Chart {
  /** Names the file. */
  readonly name: string;
  readonly title: string;
  /** `arm`: drawn once an arm, from an aggregate that holds that arm alone. */
  readonly scope: 'run' | 'arm';
  /** Undefined when there is nothing to draw: never a picture without a point. */
  draw(input: ChartInput): ChartSpec | undefined;
}
