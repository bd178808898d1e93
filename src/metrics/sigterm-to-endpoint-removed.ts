import type { Metric } from '../domain/metric.ts';
import { elapsed, timeOf } from './observed.ts';

export const sigtermToEndpointRemoved: Metric = {
  name: 'sigterm-to-endpoint-removed',
  label: 'SIGTERM → endpoint removed',
  description: 'From SIGTERM in the probe to the first EndpointSlice without the pod.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'sigterm_to_endpoint_removed_ms',
  measure: (trial) => elapsed(timeOf(trial, 'sigterm-received'), timeOf(trial, 'endpoint-removed')),
};
