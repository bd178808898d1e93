import type { Metric } from '../domain/metric.ts';
import { entriesCleared } from './evidence-times.ts';

export const triggerToUdpEntriesCleared: Metric = {
  name: 'trigger-to-udp-entries-cleared',
  label: 'UDP entries cleared',
  description:
    'From the trigger to the first UDP entry of the pod’s flows that a program, as kube-proxy, took from the node’s connection tracking.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: (trial) => entriesCleared(trial, 'udp'),
};
