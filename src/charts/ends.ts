import type { Chart } from '../domain/chart.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const family: Family = {
  title: 'When live connections ended',
  note: 'time after the pod’s end was asked for',
  metrics: [
    { name: 'trigger-to-first-tcp-end', role: 'tcp' },
    { name: 'trigger-to-last-tcp-end', role: 'tcp' },
    { name: 'trigger-to-first-udp-end', role: 'udp' },
    { name: 'trigger-to-last-udp-end', role: 'udp' },
    { name: 'trigger-to-first-udp-rehome', role: 'udp' },
  ],
};

export const ends: Chart = {
  name: 'ends',
  title: family.title,
  scope: 'run',
  draw: (input) => dotPlot(family, input),
};
