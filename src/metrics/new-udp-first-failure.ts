import type { Metric } from '../domain/metric.ts';
import { firstNewFailure } from './new-connection-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const newUdpFirstFailure: Metric = {
  name: 'new-udp-first-failure',
  label: 'SIGTERM → first failed UDP',
  description:
    'From SIGTERM in the probe to the first new UDP exchange that failed; a client at the node dials all along.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'new-connections',
  measure: (trial) => elapsed(timeOf(trial, 'sigterm-received'), firstNewFailure(trial, 'udp')),
};
