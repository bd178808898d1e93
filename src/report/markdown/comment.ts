import { environmentOf } from '../document/environment.ts';
import { keyFindings } from '../document/key-findings.ts';
import { levelSections, levelsOf } from '../document/levels.ts';
import { metricsOf } from '../document/metrics.ts';
import { folded, open, paragraph, type Section } from '../document/model.ts';
import { outcomes } from '../document/outcomes.ts';
import { reproduction } from '../document/reproduction.ts';
import { mainStrip } from '../document/strips.ts';
import { keyTimes, trialsOf } from '../document/trials.ts';
import { origins, statistics } from '../remarks.ts';
import type { Limit } from './fit.ts';
import { imageBlocks, writeReport, type MarkdownInput } from './report.ts';

/** Arms in a table and in a sentence of a comment; the rest is in the full report. */
const mostArms = 60;
const mostNamed = 6;

/**
 * A run as the body of a comment: GitHub-flavoured Markdown that shows nothing but what it says, whatever the texts in
 * the aggregate hold.
 *
 * @param limits GitHub takes 65,536 characters, which it counts as code points, and 262,144 bytes. Counted here are
 * UTF-16 code units: never fewer than code points, and at most three bytes each. Callers that add a marker ask for less.
 * @throws {RangeError} for less than about 32,000 characters, when the first lines don't fit
 */
export function renderComment(input: MarkdownInput, limits = { characters: 65_536 }): string {
  const limit: Limit = {
    name: `${limits.characters.toLocaleString('en')} characters`,
    fits: (text) => text.length <= limits.characters,
  };
  return writeReport(input, commentSections(input), limit, { headings: false });
}

const commentSections = ({ aggregate, published, images }: MarkdownInput): readonly Section[] => [
  open('Outcomes', 1, outcomes(aggregate, { most: mostArms })),
  open('Side by side', 2, levelsOf(aggregate, { most: mostArms })),
  open('Findings', 3, keyFindings(aggregate, { most: mostNamed })),
  open('Trials on an axis', 6, mainStrip(aggregate)),
  open('Charts', 5, imageBlocks(images)),
  ...levelSections(aggregate, { rank: 10, most: mostArms, folds: true }),
  folded(metricsTitle(published), 9, metricsOf(aggregate, published)),
  folded('Every trial', 11, trialsOf(aggregate, keyTimes)),
  folded('Environment, and how to reproduce', 8, [...environmentOf(aggregate), ...reproduction(aggregate)]),
  folded('What the numbers rest on', 7, paragraph(origins(aggregate, published))),
  open('Statistics', 4, paragraph(statistics(aggregate))),
];

export const metricsTitle = (published: MarkdownInput['published']): string =>
  `All metrics: median (min–max) and n${published === undefined ? '' : ', beside the published run'}`;
