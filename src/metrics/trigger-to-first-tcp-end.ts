import type { Metric } from '../domain/metric.ts';
import { firstEnd } from './flow-times.ts';

export const triggerToFirstTcpEnd: Metric = {
  name: 'trigger-to-first-tcp-end',
  label: 'first TCP end',
  description: 'From the trigger to the end of the TCP flow that ended first.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'trigger_to_first_tcp_terminal_ms',
  measure: (trial) => firstEnd(trial, 'tcp'),
};
