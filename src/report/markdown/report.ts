import type { Aggregate } from '../../domain/aggregate.ts';
import { link, type Block, type Line, type Section } from '../document/model.ts';
import { circumstances, titleOf, type ReportContext } from '../document/title.ts';
import type { PublishedReference } from '../published.ts';
import { escapeText } from './escape.ts';
import { fitSections, type Limit } from './fit.ts';
import { writeLine, writeSection, type MarkdownStyle } from './write.ts';

/** A chart that is to be had at an address, for each theme. */
export interface ReportImage {
  readonly name: string;
  readonly alt: string;
  readonly lightUrl: string;
  readonly darkUrl?: string;
}

export interface MarkdownInput {
  readonly aggregate: Aggregate;
  readonly published?: PublishedReference;
  readonly context: ReportContext;
  readonly images?: readonly ReportImage[];
}

/** A whole report in GitHub's Markdown: the answer, then the sections that fit, then what was left out. */
export function writeReport(
  { aggregate, published, context }: MarkdownInput,
  sections: readonly Section[],
  limit: Limit,
  style: MarkdownStyle,
): string {
  const head: Section = {
    title: '',
    folded: false,
    rank: 0,
    blocks: circumstances(aggregate, context, published),
  };
  const all = sections.filter(({ blocks }) => blocks.length > 0);
  return fitSections(
    [head, ...all],
    limit,
    (kept, left) =>
      [
        `### ${escapeText(titleOf(aggregate))}`,
        ...kept.map((section) => writeSection(section, section === head ? { headings: false } : style)),
        ...(left.length === 0 ? [] : [writeLine(leftOut(left, limit, context))]),
      ].join('\n\n') + '\n',
  );
}

function leftOut(left: readonly Section[], limit: Limit, context: ReportContext): Line {
  const titles = left.map(({ title }) => title).join(' · ');
  const url = context.reportUrl ?? context.artifactUrl ?? context.runUrl;
  return [
    `Left out, because GitHub takes ${limit.name}: ${titles}. `,
    ...(url === undefined ? ['The stored report has them.'] : ['They are in the ', link('full report', url), '.']),
  ];
}

export const imageBlocks = (images: readonly ReportImage[] | undefined): readonly Block[] =>
  images === undefined || images.length === 0
    ? []
    : [
        {
          kind: 'images',
          images: images.map(({ alt, lightUrl, darkUrl }) => ({
            alt,
            light: lightUrl,
            ...(darkUrl === undefined ? {} : { dark: darkUrl }),
          })),
        },
      ];
