import type { Metric } from '../domain/metric.ts';
import { lastNewFailure } from './new-connection-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const newUdpLastFailure: Metric = {
  name: 'new-udp-last-failure',
  label: 'SIGTERM → last failed UDP',
  description: 'From SIGTERM in the probe to the last new UDP exchange that failed.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'new-connections',
  measure: (trial) => elapsed(timeOf(trial, 'sigterm-received'), lastNewFailure(trial, 'udp')),
};
