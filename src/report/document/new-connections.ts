import type { Aggregate } from '../../domain/aggregate.ts';
import { armLabeller, completeArms } from '../../domain/arm-labels.ts';
import { attemptWords, pathWords } from '../../domain/path-words.ts';
import { newConnectionSentence } from '../new-connection-sentence.ts';
import { countText, outcomesIn, pathRows, unmeasuredPaths, windowText } from '../path-rows.ts';
import { clip, list, longestCell, strong, type Block, type Line } from './model.ts';

/** A sentence an arm that dialled new connections; `most`: so many arms. */
export function newConnectionFindings(aggregate: Aggregate, most: number): readonly Block[] {
  const label = armLabeller(aggregate);
  const sentences = completeArms(aggregate).flatMap((arm): readonly Line[] => {
    const sentence = newConnectionSentence(arm, label(arm));
    return sentence === undefined
      ? []
      : [[strong(clip(sentence.strong, longestCell)), clip(sentence.rest, 2 * longestCell)]];
  });
  const left = sentences.length - most;
  return list([...sentences.slice(0, most), ...(left > 0 ? [`${left} more arms in the full report.`] : [])]);
}

/** How new connections went on each path of each arm, and where none could be dialled. */
export function newConnectionsOf(aggregate: Aggregate): readonly Block[] {
  const label = armLabeller(aggregate);
  const rows = completeArms(aggregate).flatMap((arm) => pathRows(arm).map((row) => ({ row, arm: label(arm) })));
  const outcomes = outcomesIn(rows.map(({ row }) => row));
  const table: Block = {
    kind: 'table',
    caption: 'New connections by path',
    columns: [
      'how the pod was ended',
      'path',
      'attempts',
      ...outcomes.map((name) => attemptWords[name]),
      'failing for',
      'answers of the pod after ready=false',
    ],
    rows: rows.map(({ row, arm }) => [
      [clip(arm, longestCell)],
      [`${row.protocol.toUpperCase()} ${pathWords[row.path]}`],
      [`${row.attempts}`],
      ...outcomes.map((name): Line => [`${row.outcomes[name] ?? 0}`]),
      [windowText(row)],
      [countText(row.answersAfterNotReady)],
    ]),
  };
  return [
    ...(rows.length === 0 ? [] : [table]),
    ...list(unmeasuredPaths(aggregate).map((line) => clip(line, 3 * longestCell))),
  ];
}
