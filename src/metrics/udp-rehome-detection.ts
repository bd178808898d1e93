import type { Metric } from '../domain/metric.ts';
import { greatestDetection } from './evidence-times.ts';

export const udpRehomeDetection: Metric = {
  name: 'udp-rehome-detection',
  label: 'UDP re-home told after packet',
  description:
    'From another pod’s first answer on the node to the client’s stamp of it, the longest of the trial: the error of re-homings.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) =>
    greatestDetection(
      trial,
      ({ protocol }, packet) => protocol === 'udp' && packet === 'answer',
      'no first answer of another pod was captured',
    ),
};
