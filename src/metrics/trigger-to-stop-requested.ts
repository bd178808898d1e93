import type { Metric } from '../domain/metric.ts';
import { runtimeTime } from './evidence-times.ts';

export const triggerToStopRequested: Metric = {
  name: 'trigger-to-stop-requested',
  label: 'runtime asked to stop',
  description:
    'From the trigger to when the container runtime was asked by the kubelet to stop the container (StopContainer of the CRI), by its own log.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => runtimeTime(trial, 'stop-requested'),
};
