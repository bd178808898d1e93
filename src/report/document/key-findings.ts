import type { Aggregate, ArmAggregate, Summary } from '../../domain/aggregate.ts';
import { armLabeller, completeArms } from '../../domain/arm-labels.ts';
import { formatSummary } from '../../domain/format-ms.ts';
import { printable } from '../../domain/printable.ts';
import { dash } from '../format.ts';
import { metricOf } from '../outcome-table.ts';
import { clip, longestCell, paragraph, strong, type Block, type Line } from './model.ts';
import { newConnectionFindings } from './new-connections.ts';

interface ArmValue {
  readonly label: string;
  readonly summary: Summary;
  readonly arm: ArmAggregate;
}

/** What the run shows, in a sentence each. `most`: arms that a sentence names. */
export function keyFindings(aggregate: Aggregate, { most }: { readonly most: number }): readonly Block[] {
  const written = (sentence: Line | undefined) => (sentence === undefined ? [] : paragraph([sentence]));
  return [
    ...written(deadEndpoint(aggregate, most)),
    ...newConnectionFindings(aggregate, most),
    ...written(unusedDrain(aggregate, most)),
  ];
}

function deadEndpoint(aggregate: Aggregate, most: number): Line | undefined {
  const metric = 'dead-endpoint-window';
  const arms = armsWith(aggregate, metric);
  const held = arms.filter(({ summary }) => summary.median > 0);
  const [first, ...others] = held.slice(0, most);
  if (first !== undefined) {
    return [
      strong(`The EndpointSlice held the dead pod for ${formatSummary(first.summary)}`),
      ` after ${first.label}`,
      ...others.map(({ label, summary }) => `, ${formatSummary(summary)} after ${label}`),
      more(held.length, most),
      ` (from the last TCP end to word of the removed endpoint; ${sample(held)}).`,
    ];
  }
  if (arms.length > 0) return ['The EndpointSlice dropped each pod before its last TCP flow ended.'];
  const reason = completeArms(aggregate)
    .flatMap((arm) => metricOf(arm, metric)?.notMeasured ?? [])
    .at(0)?.reason;
  return reason === undefined
    ? undefined
    : [`How long the EndpointSlice held a dead pod: ${dash} (${clip(printable(reason), longestCell)})`];
}

function unusedDrain(aggregate: Aggregate, most: number): Line | undefined {
  const arms = armsWith(aggregate, 'drain-left-at-udp-rehome');
  const [first, ...others] = arms.slice(0, most);
  if (first === undefined) return undefined;
  return [
    strong(`UDP was re-homed with ${formatSummary(first.summary)} of drain unused`),
    ` after ${first.label}${rehomedAt(first)}`,
    ...others.map((arm) => `, ${formatSummary(arm.summary)} after ${arm.label}${rehomedAt(arm)}`),
    more(arms.length, most),
    ` (${sample(arms)}).`,
  ];
}

function rehomedAt({ arm }: ArmValue): string {
  const first = metricOf(arm, 'trigger-to-first-udp-rehome')?.summary;
  return first?.status === 'measured' ? `, at ${formatSummary(first.value)}` : '';
}

function armsWith(aggregate: Aggregate, metric: string): readonly ArmValue[] {
  const label = armLabeller(aggregate);
  return completeArms(aggregate).flatMap((arm) => {
    const summary = metricOf(arm, metric)?.summary;
    return summary?.status === 'measured'
      ? [{ arm, label: clip(label(arm), longestCell), summary: summary.value }]
      : [];
  });
}

const more = (count: number, most: number): string => (count > most ? `, and ${count - most} more` : '');

/** What the numbers are, with their n where it is one for all. */
function sample(arms: readonly ArmValue[]): string {
  const counts = new Set(arms.map(({ summary }) => summary.n));
  const [n] = counts;
  return counts.size === 1 && n !== undefined ? `median (min–max) of n = ${n}` : 'median (min–max)';
}
