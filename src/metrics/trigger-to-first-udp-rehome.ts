import type { Metric } from '../domain/metric.ts';
import { firstRehome } from './flow-times.ts';

export const triggerToFirstUdpRehome: Metric = {
  name: 'trigger-to-first-udp-rehome',
  label: 'first UDP re-homed',
  description: 'From the trigger to the first answer that another pod gave on a held UDP flow.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  measure: (trial) => firstRehome(trial, 'udp'),
};
