import type { Metric } from '../domain/metric.ts';
import { lastNewAnswer } from './new-connection-times.ts';

export const newUdpLastAnswer: Metric = {
  name: 'new-udp-last-answer',
  label: 'last new UDP on the pod',
  description: 'When the pod that is being ended last answered a new UDP exchange.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'new-connections',
  measure: (trial) => lastNewAnswer(trial, 'udp'),
};
