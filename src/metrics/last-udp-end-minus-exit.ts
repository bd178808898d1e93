import type { Metric } from '../domain/metric.ts';
import { lastEnd } from './flow-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const lastUdpEndMinusExit: Metric = {
  name: 'last-udp-end-minus-exit',
  label: 'container exit → last UDP end',
  description:
    'From word of the terminated container to the last UDP end, when all of them ended; negative when UDP ended first. Word comes late, so it is a lower bound.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'udp_last_terminal_minus_container_exit_ms',
  measure: (trial) => elapsed(timeOf(trial, 'container-terminated'), lastEnd(trial, 'udp')),
};
