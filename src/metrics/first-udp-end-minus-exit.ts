import type { Metric } from '../domain/metric.ts';
import { firstEnd } from './flow-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const firstUdpEndMinusExit: Metric = {
  name: 'first-udp-end-minus-exit',
  label: 'container exit → first UDP end',
  description:
    'From word of the terminated container to the first UDP end; negative when UDP ended first. Word comes late, so it is a lower bound.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'udp_first_terminal_minus_container_exit_ms',
  measure: (trial) => elapsed(timeOf(trial, 'container-terminated'), firstEnd(trial, 'udp')),
};
