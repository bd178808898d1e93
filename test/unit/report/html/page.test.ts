import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TrialReport } from '../../../../src/domain/trial.ts';
import { renderHtml, type PageInput } from '../../../../src/report/html/page.ts';
import { printable } from '../../../../src/domain/printable.ts';
import { publishedReference } from '../../../../src/report/published.ts';
import { bounded, event, exact, pod, receipt } from '../../metrics/example-trial.ts';
import { aggregateOf, exampleReport } from '../example-reports.ts';
import { aggregateWithTexts } from '../hostile-aggregate.ts';
import { hostile } from '../hostile-texts.ts';
import { elementsOf, textOf } from './elements.ts';

const context = {
  repository: 'octo/cat',
  runUrl: 'https://github.example/octo/cat/actions/runs/1',
  headSha: '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
  at: '2026-11-29T18:20:31.000Z',
};
const png = Buffer.from('not really an image').toString('base64');
const images = [{ name: 'ends', alt: 'When flows ended: "all" at 45 ms', light: png, dark: png }];
const reports = [1, 2, 3, 4, 5].map((repeat) => exampleReport(repeat));
const pageOf = (changes: Partial<PageInput> = {}) =>
  renderHtml({ aggregate: aggregateOf(), published: publishedReference(), context, reports, images, ...changes });

describe('a page', () => {
  test('is one well-formed document with a language, a title and one first heading', () => {
    const elements = elementsOf(pageOf({ text: 'drainwatch\n  a table' }));
    expect(elements.map(({ name }) => name).slice(0, 2)).toEqual(['html', 'head']);
    expect(elements.find(({ name }) => name === 'html')?.attributes.get('lang')).toBe('en');
    expect(elements.filter(({ name }) => name === 'h1').map(({ text }) => text)).toEqual([
      'drainwatch · 5 of 5 arms as expected · 25 trials in 5m 41s',
    ]);
    expect(elements.find(({ name }) => name === 'title')?.text).toMatch(/^drainwatch/);
  });

  test('fetches nothing and runs nothing, and forbids both to the browser', () => {
    const page = pageOf();
    for (const { name, attributes } of elementsOf(page)) {
      expect(name).not.toMatch(/^(script|link|iframe|object|embed|form|base)$/);
      for (const [attribute, value] of attributes) {
        expect(attribute).not.toMatch(/^(on|style$)/);
        if (/^(src|srcset|data|poster|background)$/.test(attribute)) expect(value).toMatch(/^data:image\/png;base64,/);
      }
    }
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
    expect(style).not.toMatch(/url\(|@import/);
    const policy = elementsOf(page)
      .find(({ attributes }) => attributes.has('http-equiv'))
      ?.attributes.get('content');
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toBe(
      `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
  });

  test('is read by a screen reader: tables have captions and scopes, images words, wide tables a name', () => {
    const elements = elementsOf(pageOf());
    const count = (name: string) => elements.filter((element) => element.name === name).length;
    expect(count('table')).toBeGreaterThan(10);
    expect(count('caption')).toBe(count('table'));
    for (const { name, attributes, text } of elements) {
      if (name === 'caption') expect(text).not.toBe('');
      if (name === 'th') expect(attributes.get('scope')).toMatch(/^(col|row)$/);
      if (name === 'img') expect(attributes.get('alt')).toBe('When flows ended: "all" at 45 ms');
      if (attributes.get('tabindex') === '0' && name === 'div') expect(attributes.get('aria-label')).not.toBe('');
    }
    const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name.slice(1))] : []));
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  test('has an image for light and for dark', () => {
    const source = elementsOf(pageOf()).find(({ name }) => name === 'source');
    expect(source?.attributes.get('media')).toBe('(prefers-color-scheme: dark)');
  });

  test('links only to the web', () => {
    const links = elementsOf(pageOf({ context: { ...context, artifactUrl: 'javascript:alert(1)' } })).filter(
      ({ name }) => name === 'a',
    );
    expect(links.map(({ attributes }) => attributes.get('href'))).toEqual([context.runUrl]);
  });

  test('shows hostile text and nothing else of it', { timeout: 60_000 }, () => {
    const plain = elementsOf(renderHtml({ aggregate: aggregateWithTexts(() => 'x'), published: publishedReference() }));
    const shape = (page: readonly { readonly name: string }[]) =>
      page.map(({ name }) => name).filter((name) => name !== 'bdi' && name !== 'code');
    fc.assert(
      fc.property(
        hostile.filter((text) => printable(text) !== ''),
        (text) => {
          const page = renderHtml({ aggregate: aggregateWithTexts(() => text), published: publishedReference() });
          expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
          // equal texts share a footnote as they did, so the same elements stand for them
          expect(shape(elementsOf(page))).toEqual(shape(plain));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('a trial', () => {
  const report: TrialReport = {
    ...exampleReport(1),
    unexpected: ['exit code 1; expected 0'],
  };
  const timeline = [
    event('trigger-issued', exact(0), { trigger: 'delete', pod }),
    event('endpoint-not-ready', receipt(24.04), { pod, serving: true, terminating: null }),
    event('sigterm-received', bounded(40, 0.5, 0.25), { pod }),
  ];
  const page = pageOf({ reports: [{ ...report, trial: { ...report.trial, timeline } }] });

  test('has its timeline folded: when, how well that is known, what, seen by whom, of what', () => {
    expect(textOf(page)).toContain('0.0 | exactly | trigger-issued | probe | probe-7c9d-old trigger delete');
    expect(textOf(page)).toContain(
      '24.0 | no later | endpoint-not-ready | kubernetes | probe-7c9d-old serving true, terminating –',
    );
    expect(textOf(page)).toContain('40.0 | within −0.5, +0.3 | sigterm-received | probe | probe-7c9d-old');
    expect(
      elementsOf(page)
        .filter(({ name }) => name === 'summary')
        .map(({ text }) => text),
    ).toContain('drain.iptables-01 (first on its cluster)');
  });

  test('has its flows in groups that ended alike, and what was not as expected', () => {
    expect(textOf(page)).toContain(
      '2 | UDP | re-homed | kube-proxy cleared their conntrack entries | 2417.0 to 2421.0 | 2417.0 to 2421.0 | 798 / 800',
    );
    expect(textOf(page)).toContain('✗ exit code 1; expected 0');
  });
});

describe('images', () => {
  const many = Array.from({ length: 12 }, (_, index) => ({
    name: `chart-${index}`,
    alt: 'a chart',
    light: 'A'.repeat(200_000),
    dark: 'B'.repeat(200_000),
  }));

  test('are embedded while the page stays under its limit, dark forms all or not at all; what is left out is named', () => {
    const page = pageOf({ images: many });
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(2_000_000);
    expect(elementsOf(page).filter(({ name }) => name === 'img').length).toBeGreaterThanOrEqual(8);
    expect(page).toMatch(/Left out to keep this page small: chart-9, chart-10, chart-11, the dark forms\./);
    expect(page).not.toContain('<source');
  });

  test('that are not base64 are an error of the caller', () => {
    expect(() => pageOf({ images: [{ name: 'bad', alt: '', light: '"><script>' }] })).toThrow(
      'image bad is not base64',
    );
  });

  test('that are missing leave the strip of the trials in their place', () => {
    expect(textOf(pageOf({ images: [] }))).toMatch(/dead-endpoint window.*221 ms \(195–521\)/s);
  });
});
