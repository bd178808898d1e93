import type { Metric } from '../domain/metric.ts';
import { timeOf } from './observed.ts';

export const triggerToSigterm: Metric = {
  name: 'trigger-to-sigterm',
  label: 'SIGTERM received',
  description: 'From the trigger to the first statement of the SIGTERM handler, on the clock of the probe.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'trigger_to_sigterm_ms',
  measure: (trial) => timeOf(trial, 'sigterm-received'),
};
