import type { Aggregate } from '../../domain/aggregate.ts';
import { printable } from '../../domain/printable.ts';
import type { TrialReport } from '../../domain/trial.ts';
import { environmentOf } from '../document/environment.ts';
import { keyFindings } from '../document/key-findings.ts';
import { levelSections, levelsOf } from '../document/levels.ts';
import { metricsOf } from '../document/metrics.ts';
import { clip, folded, longestCell, open, paragraph, type Block, type Section } from '../document/model.ts';
import { outcomes } from '../document/outcomes.ts';
import { reproduction } from '../document/reproduction.ts';
import { allStrips, mainStrip } from '../document/strips.ts';
import { timelineOf } from '../document/timeline.ts';
import { circumstances, titleOf, type ReportContext } from '../document/title.ts';
import { allTimes, trialsOf } from '../document/trials.ts';
import { allAsExpected } from '../headline.ts';
import type { PublishedReference } from '../published.ts';
import { origins, statistics } from '../remarks.ts';
import { escapeHtml } from './escape.ts';
import { embed, leavable, type Embedded, type PageImage } from './images.ts';
import { style, styleHash } from './style.ts';
import { writeBlock, writeDetails, writeSection } from './write.ts';

export interface PageInput {
  readonly aggregate: Aggregate;
  /** Each is read once and only its summary kept. */
  readonly reports?: Iterable<TrialReport>;
  readonly published?: PublishedReference;
  readonly context?: ReportContext;
  readonly images?: readonly PageImage[];
  /** The terminal's table, to be copied. */
  readonly text?: string;
}

/** Arms and findings in a table; a page has room. */
const mostLines = 2000;

/** Nothing is fetched and nothing runs: the page says so to the browser too. */
const policy = `default-src 'none'; img-src data:; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;

/**
 * A run as one HTML file that opens without a network. Images are embedded, in their order, as far as the page stays
 * under `limits.bytes`; it says which were left out.
 *
 * @throws {TypeError} for an image that is not base64
 */
export function renderHtml(input: PageInput, limits = { bytes: 2_000_000 }): string {
  const { images = [] } = input;
  const trials = [...(input.reports ?? [])].map(trialDetails);
  if (images.length === 0) return page(input, trials, []);
  const frames = images.map(({ alt, dark }) => ({ alt, light: '', ...(dark === undefined ? {} : { dark: '' }) }));
  const framed = page(input, trials, chartBlocks({ pictures: frames, left: leavable(images) }));
  return page(input, trials, chartBlocks(embed(images, limits.bytes - Buffer.byteLength(framed))));
}

const chartBlocks = ({ pictures, left }: Embedded): readonly Block[] => [
  ...(pictures.length === 0 ? [] : [{ kind: 'images', images: pictures } as const]),
  ...paragraph(left.length === 0 ? [] : [`Left out to keep this page small: ${left.join(', ')}.`]),
];

function page(input: PageInput, trials: readonly string[], charts: readonly Block[]): string {
  const { aggregate, published, context } = input;
  const title = titleOf(aggregate);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<header>\n<h1${allAsExpected(aggregate) ? '' : ' class="against"'}>${escapeHtml(title)}</h1>`,
    ...circumstances(aggregate, context, published).map(writeBlock),
    '</header>',
    '<main>',
    ...sections(input, charts)
      .filter(({ blocks }) => blocks.length > 0)
      .map(writeSection),
    ...(trials.length === 0 ? [] : ['<section>', '<h2>Timelines</h2>', ...trials, '</section>']),
    ...(input.text === undefined
      ? []
      : [writeDetails('The same as text', writeBlock({ kind: 'code', language: 'text', text: input.text }))]),
    '</main>',
    `<footer><p>Run ${escapeHtml(clip(aggregate.run, longestCell))}, started ${escapeHtml(aggregate.startedAt)}.</p></footer>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function sections({ aggregate, published }: PageInput, charts: readonly Block[]): readonly Section[] {
  return [
    open('Outcomes', 1, outcomes(aggregate, { most: mostLines })),
    open('Side by side', 1, levelsOf(aggregate, { most: mostLines })),
    open('Findings', 1, [...keyFindings(aggregate, { most: mostLines }), ...paragraph(statistics(aggregate))]),
    open('Charts', 1, charts.length === 0 ? mainStrip(aggregate) : charts),
    ...levelSections(aggregate, { rank: 1, most: mostLines, folds: false }),
    open('Metrics', 1, metricsOf(aggregate, published)),
    folded('Every metric’s trials on an axis', 1, allStrips(aggregate)),
    open('Trials', 1, trialsOf(aggregate, allTimes)),
    open('What the numbers rest on', 1, paragraph(origins(aggregate, published))),
    open('Environment', 1, environmentOf(aggregate)),
    open('How to reproduce', 1, reproduction(aggregate)),
  ];
}

function trialDetails(report: TrialReport): string {
  const { id, firstOnCluster } = report.trial;
  const title = `${clip(printable(id), longestCell)}${firstOnCluster ? ' (first on its cluster)' : ''}`;
  return writeDetails(title, timelineOf(report).map(writeBlock).join('\n'));
}
