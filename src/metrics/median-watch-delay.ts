import type { Metric } from '../domain/metric.ts';
import { asUpperBound, watchDelays } from './evidence-times.ts';

export const medianWatchDelay: Metric = {
  name: 'median-watch-delay',
  label: 'median watch delay',
  description:
    'From the API server’s receipt of a write about the pod to word of it by a watch, the median of the trial.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => asUpperBound(watchDelays(trial), median),
};

/** Of an even number the greater of the middle two. */
const median = (delays: readonly number[]): number =>
  delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)] ?? NaN;
