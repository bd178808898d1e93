import type { Metric } from '../domain/metric.ts';
import { elapsed, timeOf } from './observed.ts';

export const sigtermToReadyFalse: Metric = {
  name: 'sigterm-to-ready-false',
  label: 'SIGTERM → ready = false',
  description:
    'From SIGTERM in the probe to ready=false in the EndpointSlice; negative when the endpoint changed first.',
  unit: 'ms',
  better: 'lower',
  publishedAs: 'sigterm_to_ready_false_ms',
  measure: (trial) => elapsed(timeOf(trial, 'sigterm-received'), timeOf(trial, 'endpoint-not-ready')),
};
