import type { Chart } from '../domain/chart.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const family: Family = {
  title: 'How late the client was told',
  note: 'after the packet on the node, or the write to the API server',
  metrics: [
    { name: 'tcp-end-detection', role: 'tcp' },
    { name: 'udp-rehome-detection', role: 'udp' },
    { name: 'clearing-to-udp-rehome', role: 'udp' },
    { name: 'greatest-watch-delay', role: 'cluster' },
    { name: 'median-watch-delay', role: 'cluster' },
  ],
};

export const detection: Chart = {
  name: 'detection',
  title: family.title,
  scope: 'run',
  draw: (input) => dotPlot(family, input),
};
