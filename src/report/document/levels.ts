import type { Aggregate } from '../../domain/aggregate.ts';
import type { LevelComparison, LevelRow } from '../../domain/level-comparison.ts';
import { printable } from '../../domain/printable.ts';
import { Footnotes } from '../footnotes.ts';
import { levelHeading, levelLines, medianAt } from '../levels/cells.ts';
import type { LevelSentence } from '../levels/level-sentence.ts';
import { levelRemarks, otherDifferences } from '../levels/remarks.ts';
import { levelSentences } from '../levels/sentences.ts';
import { factorWords, judgedShiftText, levelOutcomeText, sideBySide } from '../levels/words.ts';
import { nameOf } from '../metrics-table.ts';
import {
  clip,
  folded,
  list,
  longestCell,
  open,
  paragraph,
  strong,
  type Block,
  type Line,
  type Section,
} from './model.ts';

/** A scenario a row and a level a column, and under it what differs, in words: one block list a factor of the run. */
export function levelsOf(aggregate: Aggregate, { most }: { readonly most: number }): readonly Block[] {
  return aggregate.comparisons.flatMap((comparison) => {
    const notes = new Footnotes();
    const { levels, rows, factor } = comparison;
    const lines = levelLines(aggregate, comparison, notes);
    const table: Block = {
      kind: 'table',
      caption: sideBySide[factor],
      columns: [
        'how the pod was ended',
        ...levels.map((level) => clip(levelHeading(aggregate, rows, level), longestCell)),
      ],
      rows: lines
        .slice(0, most)
        .map(({ label, cells }): readonly Line[] => [
          [clip(label, longestCell)],
          ...cells.map((cell): Line => [clip(cell, longestCell)]),
        ]),
    };
    return [
      table,
      ...paragraph(
        notes
          .lines()
          .slice(0, most)
          .map((line) => clip(line, 2 * longestCell)),
      ),
      ...list(
        [
          ...otherDifferences(comparison).map((text): Line => [`! ${clip(text, 2 * longestCell)}`]),
          ...levelSentences(aggregate, comparison).map(sentenceLine),
        ].slice(0, most),
      ),
    ];
  });
}

const sentenceLine = ({ text, supported }: LevelSentence): Line => {
  const line = clip(text, 4 * longestCell);
  return supported ? [strong(line)] : [line];
};

/** The sections with every metric at every level, and what the tests say of it; none for a run without levels. */
export const levelSections = (
  aggregate: Aggregate,
  { rank, most, folds }: { readonly rank: number; readonly most: number; readonly folds: boolean },
): readonly Section[] =>
  aggregate.comparisons.map((comparison) => {
    const title = `Differences between ${factorWords[comparison.factor]}, with exact tests`;
    return (folds ? folded : open)(title, rank, evidence(aggregate, comparison, most));
  });

function evidence(aggregate: Aggregate, comparison: LevelComparison, most: number): readonly Block[] {
  const { rows, reference } = comparison;
  const outcomes = rows.flatMap(({ label, against }) =>
    against.flatMap((one) => {
      if (one.status === 'not-compared')
        return [`${printable(label)}, ${printable(one.level)}: not compared: ${printable(one.reason)}`];
      return one.outcomes.map((each) => `${printable(label)}: ${levelOutcomeText(each, one.level, reference)}`);
    }),
  );
  return [
    ...list(outcomes.slice(0, most).map((line) => clip(line, 2 * longestCell))),
    ...rows.flatMap((row) => metricsTable(aggregate, comparison, row)),
    ...paragraph(levelRemarks(comparison)),
  ];
}

/** Medians at every level, and each level's shift against the reference. */
function metricsTable(aggregate: Aggregate, { levels, reference }: LevelComparison, row: LevelRow): readonly Block[] {
  const compared = row.against.filter((one) => one.status === 'compared');
  const names = [...new Set(compared.flatMap(({ metrics }) => metrics.map(({ metric }) => metric)))];
  if (names.length === 0) return [];
  return [
    {
      kind: 'table',
      caption: clip(printable(row.label), longestCell),
      columns: [
        'metric',
        ...levels.map((level) => clip(printable(level), longestCell)),
        ...compared.map(({ level }) => clip(printable(`${level} against ${reference}`), longestCell)),
      ],
      rows: names.map((name): readonly Line[] => [
        [nameOf(name)],
        ...levels.map((level): Line => [medianAt(aggregate, row, level, name)]),
        ...compared.map(({ metrics }): Line => {
          const metric = metrics.find((one) => one.metric === name);
          return [metric === undefined ? '' : judgedShiftText(metric)];
        }),
      ]),
    },
  ];
}
