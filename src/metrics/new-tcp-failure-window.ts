import type { Metric } from '../domain/metric.ts';
import { newFailureWindow } from './new-connection-times.ts';

export const newTcpFailureWindow: Metric = {
  name: 'new-tcp-failure-window',
  label: 'new TCP failure window',
  description:
    'From the first new TCP connection that failed to the first after which none did: the dead-endpoint window as clients meet it.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'new-connections',
  measure: (trial) => newFailureWindow(trial, 'tcp'),
};
