import { joining, type Block, type Inline, type Line, type Picture, type Section } from '../document/model.ts';
import { rightToLeft } from '../document/right-to-left.ts';
import { webAddress } from '../document/web-address.ts';
import { escapeHtml, escapePreformatted } from './escape.ts';

export function writeSection({ title, folded, blocks }: Section): string {
  const body = blocks.map(writeBlock).join('\n');
  if (folded) return writeDetails(title, body);
  return `<section>\n<h2>${text(title)}</h2>\n${body}\n</section>`;
}

export const writeDetails = (title: string, body: string): string =>
  `<details>\n<summary>${text(title)}</summary>\n${body}\n</details>`;

export function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${block.lines.map(writeLine).join('<br>\n')}</p>`;
    case 'list':
      return `<ul>\n${block.items.map((item) => `<li>${writeLine(item)}</li>`).join('\n')}\n</ul>`;
    case 'table':
      return writeTable(block);
    case 'code':
      return `<pre tabindex="0"><code>${escapePreformatted(block.text)}</code></pre>`;
    case 'images':
      return block.images.map(writePicture).join('\n');
    default:
      return block satisfies never;
  }
}

const writeLine = (line: Line): string =>
  line.map((part) => (typeof part === 'string' ? joining(part, text) : writeInline(part))).join('');

function writeInline(inline: Inline): string {
  switch (inline.kind) {
    case 'strong':
      return `<strong>${text(inline.text)}</strong>`;
    case 'code':
      return `<code>${text(inline.text)}</code>`;
    case 'link': {
      const address = webAddress(inline.url);
      if (address === undefined) return text(inline.text);
      return `<a href="${escapeHtml(address)}" rel="noreferrer">${text(inline.text)}</a>`;
    }
    default:
      return inline satisfies never;
  }
}

/** A table wider than the window is scrolled, by the keyboard too (WCAG 2.2, 2.1.1). */
function writeTable({ caption, columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const head = columns.map((column) => `<th scope="col">${text(column)}</th>`).join('');
  const body = rows.map((cells) => {
    const [name = [], ...others] = cells;
    return `<tr><th scope="row">${writeLine(name)}</th>${others.map((cell) => `<td>${writeLine(cell)}</td>`).join('')}</tr>`;
  });
  return [
    `<div class="wide" role="region" aria-label="${escapeHtml(caption)}" tabindex="0">`,
    `<table>\n<caption>${text(caption)}</caption>\n<thead><tr>${head}</tr></thead>`,
    `<tbody>\n${body.join('\n')}\n</tbody>\n</table>\n</div>`,
  ].join('\n');
}

const writePicture = ({ alt, light, dark }: Picture): string =>
  [
    '<figure><picture>',
    ...(dark === undefined ? [] : [`<source media="(prefers-color-scheme: dark)" srcset="${escapeHtml(dark)}">`]),
    `<img alt="${escapeHtml(alt)}" src="${escapeHtml(light)}">`,
    '</picture></figure>',
  ].join('\n');

const text = (value: string): string =>
  rightToLeft.test(value) ? `<bdi>${escapeHtml(value)}</bdi>` : escapeHtml(value);
