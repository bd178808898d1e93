import { comparedArms, type ComparedArm, type Comparison } from '../../domain/comparison.ts';
import { printable } from '../../domain/printable.ts';
import { nameOf } from '../metrics-table.ts';
import { gapsBetween, paintWith, renderColumns, unbound, wrap, type Paint } from '../text-layout.ts';
import {
  armHeading,
  comparisonHeadline,
  comparisonRemarks,
  findingColors,
  floorText,
  outcomeText,
  pValueText,
  sampleText,
  shiftText,
  shortFinding,
  uncomparedText,
} from './words.ts';

/** Columns of the terminal; 72 at least are used. */
export interface ComparisonTableOptions {
  readonly width: number;
  readonly color: boolean;
}

/** A comparison as text: the answer first, then what stands against it, then the evidence. */
export function renderComparison(comparison: Comparison, { width: columns, color }: ComparisonTableOptions): string {
  const width = Math.max(72, columns);
  const paint = paintWith(color);
  const line = (text: string) => wrap(text, width, 2);
  const { arms, differences, finding } = comparison;
  const blocks = [
    [
      ...line(comparisonHeadline(comparison)).map((text) => paint(findingColors[finding], text)),
      ...differences.flatMap((text) => line(`not alike in ${printable(text)}`)),
    ],
    ...comparedArms(comparison).map((arm) => [armTable(arm, comparison, width, paint)]),
    arms.flatMap((arm) => (arm.status === 'compared' ? [] : line(uncomparedText(arm)))),
    comparisonRemarks(comparison).flatMap(line),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return unbound(`${text.join('\n\n')}\n`);
}

function armTable(arm: ComparedArm, { a, b }: Comparison, width: number, paint: Paint): string {
  const rows = arm.metrics.map((metric) => [
    nameOf(metric.metric),
    sampleText(metric.a),
    sampleText(metric.b),
    shiftText(metric),
    pValueText(metric),
    floorText(metric),
    shortFinding(metric),
  ]);
  const widest = (column: number) => Math.min(28, Math.max(6, ...rows.map((row) => row[column]?.length ?? 0)));
  const room = width - gapsBetween(7) - pWidth - floorWidth;
  const [names, first, second, shift, rest] = shared(room, [0, 1, 2, 3, 6].map(widest));
  const table = renderColumns(
    [
      { heading: 'metric', width: names ?? 0 },
      { heading: printable(a.name), width: first ?? 0 },
      { heading: printable(b.name), width: second ?? 0 },
      { heading: 'shift (interval)', width: shift ?? 0 },
      { heading: 'p', width: pWidth },
      { heading: 'floor', width: floorWidth },
      { heading: 'finding', width: rest ?? 0 },
    ],
    rows,
    paint,
  );
  const heading = wrap(armHeading(arm), width).map((text) => paint('bold', text));
  const outcomes = arm.outcomes.flatMap((each) =>
    wrap(outcomeText(each), width, 2).map((text) => paint(findingColors[each.finding], text)),
  );
  return [...heading, ...outcomes, table].join('\n');
}

const pWidth = 7;
const floorWidth = 5;

/** What the columns want, or the same share of it where there is less room. */
function shared(room: number, wanted: readonly number[]): readonly number[] {
  const sum = wanted.reduce((total, width) => total + width, 0);
  return sum <= room ? wanted : wanted.map((width) => Math.max(6, Math.floor((width * room) / sum)));
}
