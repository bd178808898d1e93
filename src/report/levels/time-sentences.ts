import type { Aggregate } from '../../domain/aggregate.ts';
import type { ComparedLevel, LevelComparison, LevelMetric, LevelRow } from '../../domain/level-comparison.ts';
import { printable } from '../../domain/printable.ts';
import { nameOf } from '../metrics-table.ts';
import { medianAt } from './cells.ts';
import type { LevelSentence } from './level-sentence.ts';
import { levelShiftText, pText, underLevels } from './words.ts';

/** Metrics that users feel, in the order of sentences. */
const felt = [
  'new-tcp-failure-window',
  'new-udp-failure-window',
  'dead-endpoint-window',
  'trigger-to-first-udp-end',
  'trigger-to-first-udp-rehome',
  'trigger-to-last-tcp-end',
];
/** What is told already where how UDP flows end is. */
const ofUdpEnd: ReadonlySet<string> = new Set(['trigger-to-first-udp-end', 'trigger-to-first-udp-rehome']);

/** Times that are shown to be others at a level, of those metrics, a sentence each. */
export function timeSentences(
  aggregate: Aggregate,
  comparison: LevelComparison,
  tellsUdpEnd: (row: LevelRow) => boolean,
): readonly LevelSentence[] {
  return felt.flatMap((name) =>
    comparison.rows.flatMap((row) => {
      if (ofUdpEnd.has(name) && tellsUdpEnd(row)) return [];
      return row.against
        .filter((one) => one.status === 'compared')
        .flatMap((difference) => {
          const metric = difference.metrics.find((one) => one.metric === name && one.finding === 'shifted');
          return metric === undefined ? [] : [timeSentence(aggregate, comparison, row, difference, metric)];
        });
    }),
  );
}

function timeSentence(
  aggregate: Aggregate,
  { factor, reference }: LevelComparison,
  row: LevelRow,
  { level }: ComparedLevel,
  metric: LevelMetric,
): LevelSentence {
  const median = (wanted: string) => medianAt(aggregate, row, wanted, metric.metric);
  const p = metric.shift.status === 'measured' ? `, ${pText(metric.shift.value.adjustedPValue)}` : '';
  const sides = `${median(level)} ${underLevels(factor, [level])}, ${median(reference)} ${underLevels(factor, [reference])}`;
  return {
    supported: true,
    text: `${nameOf(metric.metric)}, ${printable(row.label)}: ${sides}; shift ${levelShiftText(metric)}${p}.`,
  };
}
