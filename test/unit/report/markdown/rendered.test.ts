import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeCode, escapeText } from '../../../../src/report/markdown/escape.ts';
import { renderComment } from '../../../../src/report/markdown/comment.ts';
import { renderSummary } from '../../../../src/report/markdown/summary.ts';
import { writeSection } from '../../../../src/report/markdown/write.ts';
import { code, folded, link, list, paragraph, strong, type Block } from '../../../../src/report/document/model.ts';
import { printable } from '../../../../src/domain/printable.ts';
import { publishedReference } from '../../../../src/report/published.ts';
import { aggregateWithTexts } from '../hostile-aggregate.ts';
import { hostile } from '../hostile-texts.ts';
import { loadRenderer } from './gfm-renderer.ts';

const renderer = await loadRenderer();
/** Milliseconds: rendering a whole report some dozen times takes longer than a unit test usually does. */
const timeout = 60_000;
const render = (markdown: string): string => renderer?.(markdown) ?? '';

const tagsOf = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? [];
const decoded = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const shown = (html: string): string =>
  decoded(html)
    .replaceAll(/[\u200b\u2068\u2069]/g, '')
    .trim();

/** Pieces of text in which GitHub looks for references: not in code, not in links, none across an element. */
function searchedTexts(html: string): readonly string[] {
  const texts: string[] = [];
  let depth = 0;
  for (const [piece, tag] of html.matchAll(/<(\/?(?:code|pre|a)\b)?[^>]*>|[^<]+/g)) {
    if (tag !== undefined) depth += tag.startsWith('/') ? -1 : 1;
    else if (depth === 0 && !piece.startsWith('<')) texts.push(decoded(piece));
  }
  return texts;
}

const references = [
  /(?:^|\W)@[a-z0-9]/i,
  /#\d/,
  /\bgh-\d/i,
  /:\/\//,
  /www\./i,
  /:[\w+-]+:/,
  /(?<![\w.-])[0-9a-f]{7,40}(?![\w-])/i,
];

/** Places in which a text may stand, with one before and after it. */
const places: Readonly<Record<string, (text: string) => readonly Block[]>> = {
  'a paragraph': (text) => paragraph([text, ['before ', text, ' after'], text]),
  'a list': (text) => list([text, [text, strong(text)]]),
  'a table': (text) => [
    {
      kind: 'table',
      caption: text,
      columns: [text, 'b'],
      rows: [
        [[text], [code(text), ' ', strong(text)]],
        [[text, text], []],
      ],
    },
  ],
  'a link': (text) => paragraph([[link(text, 'https://a.example/'), ' ', link(text, 'javascript:x')]]),
  'a code block': (text) => [{ kind: 'code', language: 'text', text }],
  'an image’s words': (text) => [
    { kind: 'images', images: [{ alt: text, light: 'https://i.example/a.png', dark: 'https://i.example/b.png' }] },
  ],
};

describe.skipIf(renderer === undefined)(
  'as GitHub-flavoured Markdown is rendered (needs micromark, micromark-extension-gfm)',
  () => {
    test('a renderer that is given raw text makes something of it, so that these tests can fail', () => {
      expect(render('**a** <b> https://a.example | ~~c~~')).toMatch(/<strong>.*<a href/s);
    });

    test('text is shown as it is and is a text alone', () => {
      fc.assert(
        fc.property(hostile, (text) => {
          const html = render(`x ${escapeText(text)} x`);
          expect(tagsOf(html)).toEqual(['<p>', '</p>']);
          expect(shown(html)).toBe(`x ${printable(text)} x`);
        }),
        { numRuns: 300 },
      );
    });

    test('text at the start of a line is shown as it is', () => {
      fc.assert(
        fc.property(
          hostile.filter((text) => printable(text) !== ''),
          (text) => {
            const html = render(escapeText(text));
            expect(tagsOf(html)).toEqual(['<p>', '</p>']);
            expect(shown(html)).toBe(printable(text));
          },
        ),
        { numRuns: 300 },
      );
    });

    test('a name in code is shown as it is', () => {
      fc.assert(
        fc.property(
          hostile.filter((text) => printable(text) !== ''),
          (text) => {
            const html = render(`x ${escapeCode(text)}`);
            expect(tagsOf(html)).toEqual(['<p>', '<code>', '</code>', '</p>']);
            expect(shown(html)).toBe(`x ${printable(text)}`);
          },
        ),
        { numRuns: 150 },
      );
    });

    test.each(Object.entries(places))('text in %s changes nothing but itself', { timeout }, (_, blocksOf) => {
      const written = (text: string) => render(writeSection(folded(text, 1, blocksOf(text)), { headings: false }));
      // an image's words are in its tag
      const shape = (html: string) => tagsOf(html).map((tag) => tag.replace(/ alt="[^"]*"/, ''));
      fc.assert(
        fc.property(
          hostile.filter((text) => printable(text) !== ''),
          (text) => {
            expect(shape(written(text))).toEqual(shape(written('x')));
          },
        ),
        { numRuns: 150 },
      );
    });

    test.each([
      ['comment', renderComment],
      ['summary', renderSummary],
    ])(
      'a %s of hostile texts has the structure of a plain one, notifies nobody and links nowhere',
      { timeout },
      (_, renderReport) => {
        const context = { at: '2026-11-29T18:20:31.000Z', runUrl: 'https://github.example/octo/cat/actions/runs/1' };
        const written = (text: string) =>
          render(renderReport({ aggregate: aggregateWithTexts(() => text), published: publishedReference(), context }));
        const plain = tagsOf(written('x'));
        fc.assert(
          fc.property(
            hostile.filter((text) => printable(text) !== '' && text.length < 100),
            (text) => {
              const html = written(text);
              expect(tagsOf(html)).toEqual(plain);
              for (const searched of searchedTexts(html)) {
                for (const reference of references) expect(searched).not.toMatch(reference);
              }
            },
          ),
          { numRuns: 20 },
        );
      },
    );
  },
);
