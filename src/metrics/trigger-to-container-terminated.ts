import type { Metric } from '../domain/metric.ts';
import { timeOf } from './observed.ts';

export const triggerToContainerTerminated: Metric = {
  name: 'trigger-to-container-terminated',
  label: 'container terminated',
  description: 'From the trigger to word of the terminated container, as the watch of the pod brought it.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'trigger_to_container_terminated_ms',
  measure: (trial) => timeOf(trial, 'container-terminated'),
};
