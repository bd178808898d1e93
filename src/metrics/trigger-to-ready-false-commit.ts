import type { Metric } from '../domain/metric.ts';
import { commitOf } from './evidence-times.ts';

export const triggerToReadyFalseCommit: Metric = {
  name: 'trigger-to-ready-false-commit',
  label: 'ready=false written',
  description:
    'From the trigger to the API server’s write of the first EndpointSlice that says ready=false of the pod.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => commitOf(trial, 'endpoint-not-ready'),
};
