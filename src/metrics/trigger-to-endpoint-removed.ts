import type { Metric } from '../domain/metric.ts';
import { timeOf } from './observed.ts';

export const triggerToEndpointRemoved: Metric = {
  name: 'trigger-to-endpoint-removed',
  label: 'endpoint removed',
  description: 'From the trigger to the first EndpointSlice without the pod.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'trigger_to_endpoint_removed_ms',
  measure: (trial) => timeOf(trial, 'endpoint-removed'),
};
