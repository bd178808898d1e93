import { printable } from '../../domain/printable.ts';
import { gapsBetween, paintWith, renderColumns, wrap } from '../text-layout.ts';
import type { Reference } from './known-patterns.ts';
import { trustIn, type Story, type StoryLine } from './story.ts';

/** Far more than a trial of one pod has; a report from elsewhere may hold any number. */
const mostLines = 300;

export interface StoryOptions {
  /** Columns of the terminal; 72 at least are used. */
  readonly width: number;
  readonly color: boolean;
}

/** A story as text for a terminal. */
export function renderStory(story: Story, options: StoryOptions): string {
  const width = Math.max(72, options.width);
  const paint = paintWith(options.color);
  const paragraph = (text: string) => wrap(printable(text), width, 2);
  const titled = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [[paint('bold', title), ...lines.flatMap(paragraph)]];
  const blocks = [
    [paint('bold', printable(story.trial)), ...paragraph(story.beginning)],
    [tableOf(story.lines, width, options)],
    ...titled('Why flows were cut off', story.causes),
    ...titled('Meanwhile', story.meanwhile),
    ...titled('Publicly known', story.patterns.map(patternLine)),
    ...titled('What would have told more', story.missing),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function tableOf(lines: readonly StoryLine[], width: number, { color }: StoryOptions): string {
  const rows = lines
    .slice(0, mostLines)
    .map(({ at, what, seenBy }) => [
      at.tMs.toFixed(1).replace('-', '−'),
      trustIn(at.precision),
      printable(what),
      printable(seenBy),
    ]);
  const widest = (column: number, least: number) => Math.max(least, ...rows.map((row) => row[column]?.length ?? 0));
  const [time, trust] = [widest(0, 5), Math.min(16, widest(1, 5))];
  const room = width - time - trust - gapsBetween(4);
  const seenBy = Math.min(Math.floor(room / 3), widest(3, 7));
  const table = renderColumns(
    [
      { heading: 't, ms', width: time },
      { heading: 'known', width: trust },
      { heading: 'what', width: room - seenBy },
      { heading: 'seen by', width: seenBy },
    ],
    rows,
    paintWith(color),
  );
  return lines.length > mostLines ? `${table}\n${lines.length - mostLines} more in the report` : table;
}

const patternLine = ({ name, meaning, references }: Story['patterns'][number]): string =>
  `${name}: ${meaning} (${references.map(referenceText).join(', ')})`;

/** As GitHub writes it: `kubernetes/kubernetes#1`. */
export const referenceText = ({ repository, number }: Reference): string => `${repository}#${number}`;
