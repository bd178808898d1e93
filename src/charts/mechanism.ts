import type { Chart } from '../domain/chart.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const family: Family = {
  title: 'What was written, and what the node did of it',
  note: 'time after the pod’s end was asked for',
  metrics: [
    { name: 'trigger-to-stop-requested', role: 'cluster' },
    { name: 'trigger-to-ready-false-commit', role: 'cluster' },
    { name: 'trigger-to-endpoint-removed-commit', role: 'cluster' },
    { name: 'trigger-to-rules-changed', role: 'cluster' },
    { name: 'trigger-to-udp-entries-cleared', role: 'udp' },
    { name: 'trigger-to-runtime-exit', role: 'cluster' },
  ],
};

export const mechanism: Chart = {
  name: 'mechanism',
  title: family.title,
  scope: 'run',
  draw: (input) => dotPlot(family, input),
};
