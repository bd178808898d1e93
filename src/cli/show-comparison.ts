import type { Comparison } from '../domain/comparison.ts';
import { writeComparison } from '../report/comparison/markdown.ts';
import { renderComparison } from '../report/comparison/table.ts';

/** Prints a comparison: a table for a reader, Markdown for a page, JSON for a program. */
export function showComparison(
  comparison: Comparison,
  stdout: NodeJS.WriteStream,
  form: 'table' | 'markdown' | 'json',
): void {
  switch (form) {
    case 'json':
      stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
      return;
    case 'markdown':
      stdout.write(writeComparison(comparison));
      return;
    case 'table': {
      // columns is undefined where the stream is no terminal
      const width = stdout.isTTY ? stdout.columns : 120;
      stdout.write(renderComparison(comparison, { width, color: stdout.isTTY && process.env.NO_COLOR === undefined }));
      return;
    }
    default:
      form satisfies never;
  }
}
