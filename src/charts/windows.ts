import type { Chart } from '../domain/chart.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const family: Family = {
  title: 'Time from one event to another',
  note: 'negative: the second event came first',
  metrics: [
    { name: 'dead-endpoint-window', role: 'cluster' },
    { name: 'sigterm-to-ready-false', role: 'probe' },
    { name: 'sigterm-to-endpoint-removed', role: 'probe' },
    { name: 'stop-requested-to-sigterm', role: 'probe' },
    { name: 'first-udp-end-minus-exit', role: 'udp' },
    { name: 'last-udp-end-minus-exit', role: 'udp' },
    { name: 'drain-left-at-udp-rehome', role: 'udp' },
  ],
};

export const windows: Chart = {
  name: 'windows',
  title: family.title,
  scope: 'run',
  draw: (input) => dotPlot(family, input),
};
