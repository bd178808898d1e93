import type { Metric } from '../domain/metric.ts';
import { runtimeTime } from './evidence-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const stopRequestedToSigterm: Metric = {
  name: 'stop-requested-to-sigterm',
  label: 'runtime asked → SIGTERM',
  description:
    'From the kubelet’s request to stop the container, as the container runtime logged it, to SIGTERM in the probe: the runtime’s part, and the program’s, of the time to SIGTERM.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => elapsed(runtimeTime(trial, 'stop-requested'), timeOf(trial, 'sigterm-received')),
};
