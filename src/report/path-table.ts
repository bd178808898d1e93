import { completeArms } from '../domain/arm-labels.ts';
import { attemptWords, pathWords } from '../domain/path-words.ts';
import { newConnectionSentence } from './new-connection-sentence.ts';
import type { TableContext } from './outcome-table.ts';
import { outcomesIn, pathRows, windowText, type PathRow } from './path-rows.ts';
import { gapsBetween, renderColumns, wrap, type Paint } from './text-layout.ts';

/** How new connections went on each path, an arm after the other; none for arms that dialled none. */
export function pathTables({ aggregate, label, width, paint }: TableContext): readonly string[] {
  return completeArms(aggregate).flatMap((arm) => {
    const rows = pathRows(arm);
    if (rows.length === 0) return [];
    const sentence = newConnectionSentence(arm, label(arm));
    const heading = wrap(`new connections · ${label(arm)} · n = ${arm.trials.length}`, width).map((line) =>
      paint('bold', line),
    );
    const told = sentence === undefined ? [] : wrap(`${sentence.strong}${sentence.rest}`, width, 2);
    return [[...heading, ...told, tableOf(rows, width, paint)].join('\n')];
  });
}

function tableOf(rows: readonly PathRow[], width: number, paint: Paint): string {
  const outcomes = outcomesIn(rows);
  const cells = rows.map((row) => [
    `${row.protocol.toUpperCase()} ${pathWords[row.path]}`,
    ...outcomes.map((name) => `${row.outcomes[name] ?? 0}`),
    windowText(row),
  ]);
  const headings = ['path', ...outcomes.map((name) => attemptWords[name]), 'failing for'];
  const wanted = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const fixed = wanted.slice(0, -1).reduce((sum, each) => sum + each, 0);
  const last = Math.max(11, Math.min(wanted.at(-1) ?? 0, width - fixed - gapsBetween(headings.length)));
  const widths = [...wanted.slice(0, -1), last];
  return renderColumns(
    headings.map((heading, index) => ({ heading, width: widths[index] ?? 0 })),
    cells,
    paint,
  );
}
