import { medianBars } from '../../charts/mermaid.ts';
import { metrics } from '../../metrics/index.ts';
import { environmentOf } from '../document/environment.ts';
import { keyFindings } from '../document/key-findings.ts';
import { levelSections, levelsOf } from '../document/levels.ts';
import { metricsOf } from '../document/metrics.ts';
import { folded, open, paragraph, type Block, type Section } from '../document/model.ts';
import { outcomes } from '../document/outcomes.ts';
import { reproduction } from '../document/reproduction.ts';
import { allStrips, mainStrip } from '../document/strips.ts';
import { allTimes, trialsOf } from '../document/trials.ts';
import { origins, statistics } from '../remarks.ts';
import { metricsTitle } from './comment.ts';
import type { Limit } from './fit.ts';
import { imageBlocks, writeReport, type MarkdownInput } from './report.ts';

const mostLines = 500;

/**
 * A run as a job summary: what a comment holds, and every metric's trials on an axis and of every trial every time.
 *
 * @param limits GitHub takes 1024 KiB a step, bytes of UTF-8
 * @throws {RangeError} for less than about 64,000 bytes, when the first lines don't fit
 */
export function renderSummary(input: MarkdownInput, limits = { bytes: 1024 * 1024 }): string {
  const limit: Limit = {
    name: `${limits.bytes.toLocaleString('en')} bytes`,
    fits: (text) => Buffer.byteLength(text) <= limits.bytes,
  };
  return writeReport(input, summarySections(input), limit, { headings: true });
}

const summarySections = ({ aggregate, published, images }: MarkdownInput): readonly Section[] => [
  open('Outcomes', 1, outcomes(aggregate, { most: mostLines })),
  open('Side by side', 2, levelsOf(aggregate, { most: mostLines })),
  open('Findings', 3, [...keyFindings(aggregate, { most: mostLines }), ...mainStrip(aggregate)]),
  open('Charts', 6, images === undefined || images.length === 0 ? bars(aggregate) : imageBlocks(images)),
  open('Statistics', 4, paragraph([...statistics(aggregate), ...origins(aggregate, published)])),
  ...levelSections(aggregate, { rank: 9, most: mostLines, folds: true }),
  folded(metricsTitle(published), 8, metricsOf(aggregate, published)),
  folded('Every metric’s trials on an axis', 10, allStrips(aggregate)),
  folded('Every trial', 11, trialsOf(aggregate, allTimes)),
  folded('Environment', 7, environmentOf(aggregate)),
  folded('How to reproduce', 5, reproduction(aggregate)),
];

/** Without images at an address a diagram that GitHub itself draws. */
function bars(aggregate: MarkdownInput['aggregate']): readonly Block[] {
  const text = medianBars(aggregate, metrics.get('dead-endpoint-window'));
  return text === undefined ? [] : [{ kind: 'code', language: 'mermaid', text }];
}
