import type { Metric } from '../domain/metric.ts';
import { newFailureWindow } from './new-connection-times.ts';

export const newUdpFailureWindow: Metric = {
  name: 'new-udp-failure-window',
  label: 'new UDP failure window',
  description:
    'From the first new UDP exchange that failed to the first after which none did: the dead-endpoint window as clients meet it.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  needs: 'new-connections',
  measure: (trial) => newFailureWindow(trial, 'udp'),
};
