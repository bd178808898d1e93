import type { AaResult } from '../../domain/aa-result.ts';
import { plural, formatDuration } from '../format.ts';
import { paragraph, open, strong, type Section } from '../document/model.ts';
import { writeSection } from '../markdown/write.ts';
import { comparisonSections } from './markdown.ts';
import { findingWords } from './words.ts';

/** The answer in a line. */
export function aaHeadline({ levels, finding, cleanUpToLanes }: AaResult): string {
  const upTo =
    cleanUpToLanes === null ? 'no level is shown to be clean' : `clean up to ${plural(cleanUpToLanes, 'lane')}`;
  const all = levels.map(({ lanes }) => lanes).join(', ');
  return `Trials at ${all} lanes: ${findingWords[finding]} · ${upTo}`;
}

/** What each level took. */
export const aaLevelLines = ({ levels }: AaResult): readonly string[] =>
  levels.map(
    ({ lanes, trials, seconds }) =>
      `${plural(lanes, 'lane')}: ${plural(trials, 'trial')} in ${formatDuration(seconds)}`,
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
  const sections = [head, ...comparisons.flatMap(({ comparison }) => comparisonSections(comparison))];
  return `${sections.map((section) => writeSection(section, { headings: section.title !== '' })).join('\n\n')}\n`;
}
