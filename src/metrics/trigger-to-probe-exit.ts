import type { Metric } from '../domain/metric.ts';
import { timeOf } from './observed.ts';

export const triggerToProbeExit: Metric = {
  name: 'trigger-to-probe-exit',
  label: 'process exit',
  description: 'From the trigger to the last line that the probe logged before it exited, on its own clock.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  measure: (trial) => timeOf(trial, 'probe-exiting'),
};
