import type { Aggregate, ArmAggregate } from '../../domain/aggregate.ts';
import { armLabeller, completeArms } from '../../domain/arm-labels.ts';
import { Footnotes } from '../footnotes.ts';
import {
  countOf,
  firstTrials,
  formatPublished,
  labelOf,
  shownMetrics,
  unmeasuredMetrics,
  valueOf,
} from '../metrics-table.ts';
import { publishedArm, publishedSummary, type PublishedReference } from '../published.ts';
import { newConnectionsOf } from './new-connections.ts';
import { clip, list, longestCell, paragraph, type Block, type Line } from './model.ts';

/** Every metric, an arm after the other, beside the published run where it had that arm. */
export function metricsOf(aggregate: Aggregate, published: PublishedReference | undefined): readonly Block[] {
  const label = armLabeller(aggregate);
  const notes = new Footnotes();
  return [
    ...completeArms(aggregate).flatMap((arm) => armTable(arm, aggregate, label(arm), notes, published)),
    ...paragraph(notes.lines().map((line) => clip(line, 2 * longestCell))),
    ...newConnectionsOf(aggregate),
    ...list(unmeasuredMetrics(aggregate).map((line) => clip(line, 3 * longestCell))),
  ];
}

function armTable(
  arm: ArmAggregate,
  aggregate: Aggregate,
  label: string,
  notes: Footnotes,
  published: PublishedReference | undefined,
): readonly Block[] {
  const metrics = shownMetrics(arm, aggregate);
  if (metrics.length === 0) return [];
  const reference = published && publishedArm(published, arm.arm.scenario, aggregate.matrix.gracePeriodSeconds);
  const comparison =
    reference === undefined
      ? []
      : [{ heading: `published, arm ${reference.arm}`, of: (name: string) => publishedSummary(reference, name) }];
  return [
    {
      kind: 'table',
      caption: clip(`${label} · n = ${arm.trials.length}`, longestCell),
      columns: ['metric', 'median (min–max)', 'n', ...comparison.map(({ heading }) => heading)],
      rows: metrics.map((metric): readonly Line[] => [
        [clip(labelOf(metric), longestCell)],
        [clip(valueOf(metric, notes), longestCell)],
        [countOf(metric, arm.trials.length)],
        ...comparison.map(({ of }): Line => [formatPublished(of(metric.metric))]),
      ]),
    },
    ...paragraph(firstTrials(arm).map((line) => clip(line, 3 * longestCell))),
  ];
}
