import type { Metric } from '../domain/metric.ts';
import { lastNewAnswer } from './new-connection-times.ts';

export const newTcpLastAnswer: Metric = {
  name: 'new-tcp-last-answer',
  label: 'last new TCP on the pod',
  description: 'When the pod that is being ended last answered a new TCP connection.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'new-connections',
  measure: (trial) => lastNewAnswer(trial, 'tcp'),
};
