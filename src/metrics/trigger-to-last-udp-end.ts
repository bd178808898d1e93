import type { Metric } from '../domain/metric.ts';
import { lastEnd } from './flow-times.ts';

export const triggerToLastUdpEnd: Metric = {
  name: 'trigger-to-last-udp-end',
  label: 'last UDP end',
  description: 'From the trigger to the end of the last UDP flow, when all of them ended.',
  unit: 'ms',
  better: 'neither',
  publishedAs: 'trigger_to_last_udp_terminal_ms',
  measure: (trial) => lastEnd(trial, 'udp'),
};
