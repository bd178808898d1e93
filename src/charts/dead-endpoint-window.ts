import type { Chart } from '../domain/chart.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const family: Family = {
  title: 'How long the Service listed a pod without a connection',
  note: 'from the last TCP end to the removal of the endpoint',
  metrics: [{ name: 'dead-endpoint-window', role: 'cluster' }],
};

export const deadEndpointWindow: Chart = {
  name: 'dead-endpoint-window',
  title: family.title,
  scope: 'run',
  draw: (input) => dotPlot(family, input),
};
