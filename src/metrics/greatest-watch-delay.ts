import type { Metric } from '../domain/metric.ts';
import { asUpperBound, watchDelays } from './evidence-times.ts';

export const greatestWatchDelay: Metric = {
  name: 'greatest-watch-delay',
  label: 'greatest watch delay',
  description:
    'From the API server’s receipt of a write about the pod to word of it by a watch, the longest of the trial: by so much times of receipt may be late.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => asUpperBound(watchDelays(trial), (delays) => Math.max(...delays)),
};
