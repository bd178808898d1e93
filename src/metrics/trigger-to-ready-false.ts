import type { Metric } from '../domain/metric.ts';
import { timeOf } from './observed.ts';

export const triggerToReadyFalse: Metric = {
  name: 'trigger-to-ready-false',
  label: 'ready = false',
  description: 'From the trigger to the first EndpointSlice that says ready=false of the pod.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  measure: (trial) => timeOf(trial, 'endpoint-not-ready'),
};
