import type { Metric } from '../domain/metric.ts';
import { commitOf } from './evidence-times.ts';

export const triggerToEndpointRemovedCommit: Metric = {
  name: 'trigger-to-endpoint-removed-commit',
  label: 'endpoint removal written',
  description: 'From the trigger to the API server’s write of the first EndpointSlice without the pod.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => commitOf(trial, 'endpoint-removed'),
};
