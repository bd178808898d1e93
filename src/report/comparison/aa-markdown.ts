import { levelName } from '../../domain/aa-level.ts';
import {
  isWithinFloors,
  levelFinding,
  withinFloorsUpTo,
  type AaResult,
  type LevelComparison,
} from '../../domain/aa-result.ts';
import { plural, formatDuration } from '../format.ts';
import { paragraph, open, strong, type Section } from '../document/model.ts';
import { writeSection } from '../markdown/write.ts';
import { comparisonSections } from './markdown.ts';
import { nameOf } from '../metrics-table.ts';
import { gapsBetween, renderColumns, unbound } from '../text-layout.ts';
import { findingText, findingWords, floorText, pValueText, shiftText, shortFinding } from './words.ts';

/** The answer in a line. */
export function aaHeadline(result: AaResult): string {
  switch (result.varied) {
    case 'lanes':
      return lanesHeadline(result);
    case 'observing':
      return observingHeadline(result);
    default:
      return result.varied satisfies never;
  }
}

function lanesHeadline({ levels, finding, comparisons, cleanUpToLanes }: AaResult): string {
  const within = withinFloorsUpTo(comparisons);
  const all = levels.map(({ lanes }) => lanes).join(', ');
  return [
    `Trials at ${all} lanes: ${findingWords[finding]}`,
    cleanUpToLanes === null
      ? 'no level is shown to be clean'
      : `shown to be clean up to ${plural(cleanUpToLanes, 'lane')}`,
    ...(within === null || within === cleanUpToLanes
      ? []
      : [`no shift seen beyond a floor up to ${plural(within, 'lane')}`]),
  ].join(' · ');
}

/** As `Observing, at 5 lanes, against without observing: undecided · with evidence: no shift`. */
function observingHeadline({ levels: [reference], varied, finding, comparisons }: AaResult): string {
  if (reference === undefined) return findingWords[finding];
  return [
    `Observing, ${plural(reference.lanes, 'lane')}, against trials ${levelName(reference, varied)}: ${findingWords[finding]}`,
    ...comparisons.map((level) => {
      const own = levelFinding(level);
      const within = own === 'undecided' && isWithinFloors(level) ? ', no shift seen beyond a floor' : '';
      return `${levelName(level, varied)}: ${findingWords[own]}${within}`;
    }),
  ].join(' · ');
}

/** What each level took. */
export const aaLevelLines = ({ levels, varied }: AaResult): readonly string[] =>
  levels.map(
    (level) => `${levelName(level, varied)}: ${plural(level.trials, 'trial')} in ${formatDuration(level.seconds)}`,
  );

/** An A/A result as GitHub's Markdown. */
export function writeAaResult(result: AaResult): string {
  const { repeats, rounds, comparisons } = result;
  const head: Section = open('', 0, [
    ...paragraph([[strong(aaHeadline(result))]]),
    ...paragraph([
      `${plural(repeats, 'repeat')} of each arm at each level, in ${plural(rounds, 'round')} on one cluster; the level that begins changes from round to round.`,
      ...aaLevelLines(result),
    ]),
  ]);
  const sections = [
    head,
    ...comparisons.flatMap((level) => [pooledSection(level), ...comparisonSections(level.comparison)]),
  ];
  return `${sections.map((section) => writeSection(section, { headings: section.title !== '' })).join('\n\n')}\n`;
}

/** The answer for one level in a line. */
const levelHeadline = (level: LevelComparison): string => {
  const { a, b } = level.comparison;
  return `${b.name} against ${a.name}, all arms together: ${findingWords[levelFinding(level)]}`;
};

function pooledSection(level: LevelComparison): Section {
  const { pooled, comparison } = level;
  if (pooled === undefined) return open('', 0, []);
  return open('', 0, [
    ...paragraph([[strong(levelHeadline(level))]]),
    {
      kind: 'table',
      caption: `${comparison.b.name} against ${comparison.a.name}, all arms together`,
      captionRepeats: true,
      columns: ['metric', 'arms', 'n', 'shift (interval)', 'p', 'floor, ms', 'finding'],
      rows: pooled.map((metric) => [
        [nameOf(metric.metric)],
        [String(metric.arms)],
        [`${metric.sizes.a} and ${metric.sizes.b}`],
        [shiftText(metric)],
        [pValueText(metric)],
        [floorText(metric)],
        [findingText(metric)],
      ]),
    },
    ...paragraph([
      'Each arm has its own distribution and all have one shift: the median of the differences within the arms, with the exact interval and test of the sum of their rank sums (van Elteren).',
    ]),
  ]);
}

/** The same for a terminal. */
export function pooledLines(level: LevelComparison, width: number): readonly string[] {
  const { pooled } = level;
  if (pooled === undefined) return [];
  const rows = pooled.map((metric) => [
    nameOf(metric.metric),
    `${metric.sizes.a}/${metric.sizes.b}`,
    shiftText(metric),
    pValueText(metric),
    floorText(metric),
    shortFinding(metric),
  ]);
  const columns = ['metric', 'n', 'shift (interval)', 'p', 'floor', 'finding'].map((heading, column) => ({
    heading,
    width: Math.max(heading.length, ...rows.map((row) => Math.min(34, row[column]?.length ?? 0))),
  }));
  const left =
    width - gapsBetween(columns.length) - columns.slice(0, -1).reduce((sum, column) => sum + column.width, 0);
  const fitted = columns.map((column, index) =>
    index === columns.length - 1 ? { ...column, width: Math.max(12, left) } : column,
  );
  return [levelHeadline(level), unbound(renderColumns(fitted, rows, (_style, text) => text))];
}
