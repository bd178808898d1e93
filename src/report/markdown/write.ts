import { joining, type Block, type Inline, type Line, type Picture, type Section } from '../document/model.ts';
import { webAddress } from '../document/web-address.ts';
import { codeBlock, escapeAttribute, escapeCode, escapeLink, escapeText } from './escape.ts';

export interface MarkdownStyle {
  /** Whether sections that are not folded have their title as a heading. */
  readonly headings: boolean;
}

export function writeSection({ title, folded, blocks }: Section, { headings }: MarkdownStyle): string {
  const body = blocks.map(writeBlock).filter((text) => text !== '');
  if (folded) return [`<details><summary>${escapeText(title)}</summary>`, ...body, '</details>'].join('\n\n');
  return [...(headings ? [`#### ${escapeText(title)}`] : []), ...body].join('\n\n');
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      // a hard break: GitHub breaks at every line end in comments, and at none in files
      return block.lines.map(writeLine).join('\\\n');
    case 'list':
      return block.items.map((item) => `- ${writeLine(item)}`).join('\n');
    case 'table':
      return writeTable(block);
    case 'code':
      return codeBlock(block.language, block.text);
    case 'images':
      return block.images
        .map(writePicture)
        .filter((text) => text !== '')
        .join('\n\n');
    default:
      return block satisfies never;
  }
}

export const writeLine = (line: Line): string =>
  line.map((part) => (typeof part === 'string' ? joining(part, escapeText) : writeInline(part))).join('');

function writeInline(inline: Inline): string {
  switch (inline.kind) {
    case 'strong':
      // asterisks beside punctuation would be asterisks
      return inline.text === '' ? '' : `<strong>${escapeText(inline.text)}</strong>`;
    case 'code':
      return escapeCode(inline.text);
    case 'link':
      return escapeLink(inline.text, inline.url);
    default:
      return inline satisfies never;
  }
}

function writeTable({ columns, rows, caption, captionRepeats = false }: Extract<Block, { kind: 'table' }>): string {
  const row = (cells: readonly string[]) => `| ${columns.map((_, index) => cells[index] ?? '').join(' | ')} |`;
  const table = [
    row(columns.map(escapeText)),
    row(columns.map(() => '---')),
    ...rows.map((cells) => row(cells.map(writeLine))),
  ];
  return [...(captionRepeats ? [] : [`<strong>${escapeText(caption)}</strong>\n`]), ...table].join('\n');
}

/** GitHub shows the source that fits the reader's theme. Addresses that are none of the web are left out. */
function writePicture({ alt, light, dark }: Picture): string {
  const [lightAddress, darkAddress] = [webAddress(light), dark === undefined ? undefined : webAddress(dark)];
  if (lightAddress === undefined) return '';
  return [
    '<picture>',
    ...(darkAddress === undefined
      ? []
      : [`  <source media="(prefers-color-scheme: dark)" srcset="${escapeAttribute(darkAddress)}">`]),
    `  <img alt="${escapeAttribute(alt)}" src="${escapeAttribute(lightAddress)}">`,
    '</picture>',
  ].join('\n');
}
