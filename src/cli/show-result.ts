import type { Aggregate } from '../domain/aggregate.ts';
import { publishedReference } from '../report/published.ts';
import { renderTable } from '../report/table.ts';

/** Prints a result: a table for a reader, JSON for a program. */
export function showResult(
  aggregate: Aggregate,
  stdout: NodeJS.WriteStream,
  { json }: { readonly json: boolean },
): void {
  if (json) {
    stdout.write(`${JSON.stringify(aggregate, null, 2)}\n`);
    return;
  }
  // columns is undefined where the stream is no terminal
  const width = stdout.isTTY ? stdout.columns : 100;
  const color = stdout.isTTY && process.env.NO_COLOR === undefined;
  stdout.write(`${renderTable(aggregate, { width, color, published: publishedReference() })}\n`);
}
