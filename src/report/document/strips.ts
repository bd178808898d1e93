import { dotStrips, stripLegend } from '../../charts/unicode.ts';
import type { Aggregate } from '../../domain/aggregate.ts';
import { metrics } from '../../metrics/index.ts';
import type { Block } from './model.ts';

/** Characters that a code block of a comment shows without scrolling. */
const width = 88;

/** What is shown of a run that has no dead-endpoint window, as one without a cluster. */
const preferred = ['dead-endpoint-window', 'trigger-to-last-tcp-end', 'trigger-to-first-udp-end'];

/** The trials of the metric that matters most, each a mark on one axis. */
export function mainStrip(aggregate: Aggregate): readonly Block[] {
  const [first] = preferred.flatMap((name) => strip(aggregate, name) ?? []);
  return first === undefined ? [] : [{ kind: 'code', language: 'text', text: `${first}\n\n${stripLegend}` }];
}

/** The same for every metric. */
export function allStrips(aggregate: Aggregate): readonly Block[] {
  const strips = metrics.names().flatMap((name) => strip(aggregate, name) ?? []);
  return strips.length === 0 ? [] : [{ kind: 'code', language: 'text', text: [...strips, stripLegend].join('\n\n') }];
}

const strip = (aggregate: Aggregate, name: string): string | undefined =>
  dotStrips(aggregate, metrics.get(name), { width });
