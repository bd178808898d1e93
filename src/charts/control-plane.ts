import type { Chart } from '../domain/chart.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const family: Family = {
  title: 'What the pod and the cluster did, and when',
  note: 'time after the pod’s end was asked for',
  metrics: [
    { name: 'trigger-to-ready-false', role: 'cluster' },
    { name: 'trigger-to-sigterm', role: 'probe' },
    { name: 'trigger-to-replacement-ready', role: 'cluster' },
    { name: 'trigger-to-probe-exit', role: 'probe' },
    { name: 'trigger-to-container-terminated', role: 'cluster' },
    { name: 'trigger-to-endpoint-removed', role: 'cluster' },
  ],
};

export const controlPlane: Chart = {
  name: 'control-plane',
  title: family.title,
  scope: 'run',
  draw: (input) => dotPlot(family, input),
};
