import type { Metric } from '../domain/metric.ts';
import { lastNewFailure } from './new-connection-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const newTcpLastFailure: Metric = {
  name: 'new-tcp-last-failure',
  label: 'SIGTERM → last failed TCP',
  description: 'From SIGTERM in the probe to the last new TCP connection that failed.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'new-connections',
  measure: (trial) => elapsed(timeOf(trial, 'sigterm-received'), lastNewFailure(trial, 'tcp')),
};
