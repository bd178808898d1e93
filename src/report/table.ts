import type { Aggregate, ArmResult } from '../domain/aggregate.ts';
import { armLabeller, completeArms } from '../domain/arm-labels.ts';
import { causeLines } from './causes.ts';
import { findings } from './findings.ts';
import { Footnotes } from './footnotes.ts';
import { allAsExpected, conditionsLine, environmentLine, headline } from './headline.ts';
import { levelTables } from './levels/table.ts';
import { metricsTables, unmeasuredMetrics } from './metrics-table.ts';
import { outcomeTable, type TableContext } from './outcome-table.ts';
import { unmeasuredPaths } from './path-rows.ts';
import { pathTables } from './path-table.ts';
import { printable } from '../domain/printable.ts';
import type { PublishedReference } from './published.ts';
import { remarks } from './remarks.ts';
import { paintWith, unbound, wrap } from './text-layout.ts';

export interface TableOptions {
  /** Columns of the terminal; 72 at least are used. */
  readonly width: number;
  readonly color: boolean;
  readonly published?: PublishedReference;
}

/** The whole run as text: the answer first, then what stands against it, then the evidence. */
export function renderTable(aggregate: Aggregate, options: TableOptions): string {
  const width = Math.max(72, options.width);
  const paint = paintWith(options.color);
  const notes = new Footnotes();
  const label = armLabeller(aggregate);
  const context: TableContext = { aggregate, label, notes, width, paint };
  const title = wrap(headline(aggregate), width, 2);
  const environment = wrap(environmentLine(aggregate, notes), width, 2);
  const conditions = wrap(conditionsLine(aggregate, options.published), width, 2);
  const blocks = [
    [...title.map((line) => paint(allAsExpected(aggregate) ? 'green' : 'red', line)), ...environment, ...conditions],
    [completeArms(aggregate).length === 0 ? 'No arm is complete: there is nothing to average.' : outcomeTable(context)],
    causeLines(aggregate, label).flatMap((line) => wrap(line, width, 2)),
    findings(aggregate, label).flatMap(({ severity, text }) =>
      wrap(`${severity === 'error' ? '✗' : '!'} ${text}`, width, 2).map((line) =>
        paint(severity === 'error' ? 'red' : 'yellow', line),
      ),
    ),
    ...levelTables({ aggregate, width, paint }).map((table) => [table]),
    ...metricsTables(context, options.published).map((table) => [table]),
    ...pathTables(context).map((table) => [table]),
    [...unmeasuredPaths(aggregate), ...unmeasuredMetrics(aggregate)].flatMap((line) => wrap(line, width, 2)),
    absentArms(aggregate, label).flatMap((line) => wrap(line, width, 2)),
    failedAttempts(aggregate).flatMap((line) => wrap(line, width, 2)),
    remarks(aggregate, options.published).flatMap((line) => wrap(line, width, 2)),
    notes.lines().flatMap((line) => wrap(line, width, 4)),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return unbound(`${text.join('\n\n')}\n`);
}

/** Arms that are not averaged, a line each. */
export const absentArms = ({ arms }: Aggregate, label: (arm: ArmResult) => string): readonly string[] =>
  arms.flatMap((arm) =>
    arm.status === 'complete' ? [] : [`${arm.status}, not averaged: ${label(arm)}: ${printable(arm.reason)}`],
  );

/** Attempts at trials that could not be carried through, a line each. */
export const failedAttempts = ({ failedAttempts: attempts }: Aggregate): readonly string[] =>
  attempts.map(({ trial, reason }) => `failed attempt: ${printable(`${trial}: ${reason}`)}`);
