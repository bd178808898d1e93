import type { Metric } from '../domain/metric.ts';
import { runtimeTime } from './evidence-times.ts';

export const triggerToContainerExit: Metric = {
  name: 'trigger-to-container-exit',
  label: 'container exit',
  description:
    'From the trigger to when the container runtime took the status of the container’s ended process, by its own log: also of a process that SIGKILL ended.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => runtimeTime(trial, 'exited'),
};
