import type { Chart } from '../domain/chart.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const family: Family = {
  title: 'New connections: how long they failed',
  note: 'as a client meets it; 0: every attempt was answered',
  metrics: [
    { name: 'new-tcp-failure-window', role: 'tcp' },
    { name: 'new-udp-failure-window', role: 'udp' },
    { name: 'new-tcp-first-failure', role: 'tcp' },
    { name: 'new-udp-first-failure', role: 'udp' },
    { name: 'new-tcp-last-failure', role: 'tcp' },
    { name: 'new-udp-last-failure', role: 'udp' },
    { name: 'new-tcp-last-answer', role: 'tcp' },
    { name: 'new-udp-last-answer', role: 'udp' },
  ],
};

export const newConnections: Chart = {
  name: 'new-connections',
  title: family.title,
  scope: 'run',
  draw: (input) => dotPlot(family, input),
};
