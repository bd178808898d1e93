import type { Metric } from '../domain/metric.ts';
import { firstEnd } from './flow-times.ts';

export const triggerToFirstUdpEnd: Metric = {
  name: 'trigger-to-first-udp-end',
  label: 'first UDP end',
  description: 'From the trigger to the end of the UDP flow that ended first.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'trigger_to_first_udp_terminal_ms',
  measure: (trial) => firstEnd(trial, 'udp'),
};
