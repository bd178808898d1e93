import type { Metric } from '../domain/metric.ts';
import { lastEnd } from './flow-times.ts';

export const triggerToLastTcpEnd: Metric = {
  name: 'trigger-to-last-tcp-end',
  label: 'last TCP end',
  description: 'From the trigger to the end of the last TCP flow, when all of them ended.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'trigger_to_last_tcp_terminal_ms',
  measure: (trial) => lastEnd(trial, 'tcp'),
};
