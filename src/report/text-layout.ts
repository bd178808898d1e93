import { stripVTControlCharacters, styleText } from 'node:util';
import Table from 'cli-table3';
import { nbsp } from '../domain/format-ms.ts';

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';
export type Paint = (style: Style, text: string) => string;

/** The caller knows the stream: nothing is asked of the process's own. */
export const paintWith = (color: boolean): Paint =>
  color ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;

/** Makes no-break spaces blanks again: `wrap` breaks at blanks only. */
export const unbound = (text: string): string => text.replaceAll(nbsp, ' ');

const visibleLength = (text: string): number => stripVTControlCharacters(text).length;

/** Nothing that is told at a terminal is longer; the time to break a word grows with its square. */
const longestText = 10_000;

/** Breaks text into lines of `width` at most, between words where it can; further lines start with `indent` blanks. */
export function wrap(text: string, width: number, indent = 0): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const room = () => width - (lines.length === 0 ? 0 : indent);
  const flush = () => {
    lines.push(`${lines.length === 0 ? '' : ' '.repeat(indent)}${line}`);
    line = '';
  };
  const shown = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
  for (const word of shown.split(' ')) {
    if (line !== '' && visibleLength(`${line} ${word}`) > room()) flush();
    line = line === '' ? word : `${line} ${word}`;
    while (visibleLength(line) > room()) {
      const rest = line.slice(room());
      line = line.slice(0, room());
      flush();
      line = rest;
    }
  }
  if (line !== '' || lines.length === 0) flush();
  return lines;
}

export interface Column {
  readonly heading: string;
  /** Characters, without the gap to the next column. */
  readonly width: number;
}

const gap = 2;
export const gapsBetween = (columns: number): number => gap * (columns - 1);

const none = '';
const frameless = {
  top: none,
  'top-mid': none,
  'top-left': none,
  'top-right': none,
  bottom: none,
  'bottom-mid': none,
  'bottom-left': none,
  'bottom-right': none,
  left: none,
  'left-mid': none,
  mid: none,
  'mid-mid': none,
  right: none,
  'right-mid': none,
  middle: none,
};

/** No label or number is longer; the table's time grows with the square of a cell. */
const longestCell = 300;

const cut = (text: string): string => (text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text);

/** Columns without a frame; a cell that is too narrow for its text breaks it instead of cutting it off. */
export function renderColumns(columns: readonly Column[], rows: readonly (readonly string[])[], paint: Paint): string {
  const last = columns.length - 1;
  const table = new Table({
    chars: frameless,
    colWidths: columns.map(({ width }, index) => width + (index === last ? 0 : gap)),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  const headings = columns.map(({ heading, width }) =>
    wrap(heading, width)
      .map((line) => paint('dim', line))
      .join('\n'),
  );
  const bodies = rows.map((row) => row.map((text, index) => wrap(cut(text), columns[index]?.width ?? 1).join('\n')));
  for (const row of [headings, ...bodies]) {
    table.push(row.map((content, index) => ({ content, style: { 'padding-right': index === last ? 0 : gap } })));
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
