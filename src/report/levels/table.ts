import type { Aggregate } from '../../domain/aggregate.ts';
import type { LevelComparison, LevelRow } from '../../domain/level-comparison.ts';
import { printable } from '../../domain/printable.ts';
import { Footnotes } from '../footnotes.ts';
import { nameOf } from '../metrics-table.ts';
import { gapsBetween, renderColumns, wrap, type Paint } from '../text-layout.ts';
import { levelHeading, levelLines, medianAt } from './cells.ts';
import { levelRemarks, otherDifferences } from './remarks.ts';
import { levelSentences } from './sentences.ts';
import { levelOutcomeText, levelShiftText, pText, sideBySide } from './words.ts';

export interface LevelTableOptions {
  readonly aggregate: Aggregate;
  readonly width: number;
  readonly paint: Paint;
}

const widestLabel = 22;
/** Narrower columns break nearly every word. */
const leastColumn = 22;

/** The levels of every factor of a run side by side, as blocks of text. */
export const levelTables = (options: LevelTableOptions): readonly string[] =>
  options.aggregate.comparisons.flatMap((comparison) => [
    sideBySideTable(comparison, options),
    ...differences(comparison, options),
  ]);

/** A scenario a row, a level a column; where they don't fit, the reference again beside the others. */
function sideBySideTable(comparison: LevelComparison, { aggregate, width, paint }: LevelTableOptions): string {
  const { levels, reference, rows, factor } = comparison;
  const notes = new Footnotes();
  const lines = levelLines(aggregate, comparison, notes);
  const labels = Math.min(widestLabel, Math.max(8, ...lines.map(({ label }) => label.length)));
  const room = width - labels;
  const most = Math.max(2, Math.floor(room / (leastColumn + 2)));
  const tables = partsOf(levels, reference, most).map((part) => {
    const column = Math.floor((room - gapsBetween(part.length + 1)) / part.length);
    return renderColumns(
      [
        { heading: 'how it ended', width: labels },
        ...part.map((level) => ({ heading: levelHeading(aggregate, rows, level), width: Math.min(44, column) })),
      ],
      lines.map(({ label, cells }) => [label, ...part.map((level) => cells[levels.indexOf(level)] ?? '')]),
      paint,
    );
  });
  const sentences = levelSentences(aggregate, comparison).flatMap(({ text, supported }) =>
    wrap(`${supported ? '≠' : '·'} ${text}`, width, 2),
  );
  return [
    paint('bold', sideBySide[factor]),
    tables.join('\n\n'),
    ...notes.lines().flatMap((line) => wrap(line, width, 4)),
    ...otherDifferences(comparison).flatMap((line) => wrap(`! ${line}`, width, 2).map((one) => paint('yellow', one))),
    ...sentences,
  ].join('\n');
}

/** The reference is in every part: what is compared with it stands beside it. */
function partsOf(levels: readonly string[], reference: string, most: number): readonly (readonly string[])[] {
  if (levels.length <= most) return [levels];
  const others = levels.filter((level) => level !== reference);
  const size = most - 1;
  return Array.from({ length: Math.ceil(others.length / size) }, (_, part) => [
    reference,
    ...others.slice(part * size, (part + 1) * size),
  ]);
}

/** What exact tests decided, and what they rest on. */
function differences(comparison: LevelComparison, { aggregate, width, paint }: LevelTableOptions): readonly string[] {
  const { rows, reference } = comparison;
  const outcomes = rows.flatMap(({ label, against }) =>
    against.flatMap((one) =>
      one.status === 'compared'
        ? one.outcomes.flatMap((each) =>
            wrap(`${printable(label)}: ${levelOutcomeText(each, one.level, reference)}`, width, 2),
          )
        : [],
    ),
  );
  const shifted = rows.flatMap((row) => shiftedRows(row, aggregate, reference));
  const names = Math.min(28, Math.max(6, ...shifted.map(([name = '']) => name.length)));
  const medians = Math.floor((width - names - 8 - gapsBetween(5)) / 3);
  const table = renderColumns(
    [
      { heading: 'shifted', width: names },
      { heading: printable(reference), width: medians },
      { heading: 'level', width: medians },
      { heading: 'shift (interval)', width: medians },
      { heading: 'p', width: 8 },
    ],
    shifted,
    paint,
  );
  const remarks = levelRemarks(comparison).flatMap((line) => wrap(line, width, 2));
  return [outcomes.join('\n'), shifted.length === 0 ? '' : table, remarks.join('\n')].filter((text) => text !== '');
}

function shiftedRows(row: LevelRow, aggregate: Aggregate, reference: string): readonly (readonly string[])[] {
  return row.against.flatMap((one) =>
    one.status !== 'compared'
      ? []
      : one.metrics
          .filter(({ finding }) => finding === 'shifted')
          .map((metric) => [
            `${printable(row.label)}: ${nameOf(metric.metric)}`,
            medianAt(aggregate, row, reference, metric.metric),
            `${printable(one.level)}: ${medianAt(aggregate, row, one.level, metric.metric)}`,
            levelShiftText(metric),
            metric.shift.status === 'measured' ? pText(metric.shift.value.adjustedPValue).replace('p = ', '') : '',
          ]),
  );
}
