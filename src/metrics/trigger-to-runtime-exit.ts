import type { Metric } from '../domain/metric.ts';
import { runtimeTime } from './evidence-times.ts';

export const triggerToRuntimeExit: Metric = {
  name: 'trigger-to-runtime-exit',
  label: 'exit, by the runtime',
  description:
    'From the trigger to when the container runtime took the status of the container’s ended process, by its own log: the end of any container, by SIGKILL too. The probe says that it exits a little before, the API server that the container has terminated after.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => runtimeTime(trial, 'exited'),
};
