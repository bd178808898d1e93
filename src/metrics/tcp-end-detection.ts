import type { Metric } from '../domain/metric.ts';
import { greatestDetection } from './evidence-times.ts';

export const tcpEndDetection: Metric = {
  name: 'tcp-end-detection',
  label: 'TCP end told after packet',
  description:
    'From the FIN or RST on the node to the client’s stamp of the TCP flow’s end, the longest of the trial: the error of TCP ends.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) =>
    greatestDetection(trial, ({ protocol }) => protocol === 'tcp', 'no packet that ended a TCP flow was captured'),
};
