import type { Chart, ChartInput } from '../domain/chart.ts';
import { armsWith } from './arm-values.ts';
import type { Family } from './dot-groups.ts';
import { dotPlot } from './dot-plot.ts';

const advertised = 'dead-endpoint-window';

const family: Family = {
  title: 'New connections: how long they failed',
  note: 'as a client at the node meets it, beside what the EndpointSlice told; 0: every attempt was answered',
  metrics: [
    { name: advertised, role: 'cluster' },
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
  draw: (input) => (isDialled(input) ? dotPlot(family, input) : undefined),
};

/** What the cluster advertised is drawn beside what clients met, and not without it. */
const isDialled = ({ aggregate }: ChartInput): boolean =>
  family.metrics.some(({ name }) => name !== advertised && armsWith(aggregate, name).length > 0);
