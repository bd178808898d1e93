import type { Metric } from '../domain/metric.ts';
import { lastEnd } from './flow-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const deadEndpointWindow: Metric = {
  name: 'dead-endpoint-window',
  label: 'dead-endpoint window',
  description:
    'From the last TCP end to the removal of the endpoint: how long the Service still listed a pod without a connection.',
  unit: 'ms',
  better: 'lower',
  publishedAs: 'tcp_dead_before_endpoint_removed_ms',
  measure: (trial) => elapsed(lastEnd(trial, 'tcp'), timeOf(trial, 'endpoint-removed')),
};
