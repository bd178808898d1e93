import fc from 'fast-check';
import { expect, test } from 'vitest';
import { open, type Section } from '../../../../src/report/document/model.ts';
import { fitSections } from '../../../../src/report/markdown/fit.ts';

const sized = fc.array(fc.record({ rank: fc.integer({ min: 1, max: 9 }), size: fc.integer({ min: 0, max: 50 }) }), {
  maxLength: 10,
});
const head: Section = open('', 0, []);

test('whole sections are kept in their order, and none is left out that is more important than one kept', () => {
  fc.assert(
    fc.property(sized, fc.integer({ min: 20, max: 300 }), (sizes, most) => {
      const sections = sizes.map(({ rank, size }, index) => open(`${index}:${'x'.repeat(size)}`, rank, []));
      let parts: { kept: readonly Section[]; left: readonly Section[] } = { kept: [], left: [] };
      fitSections([head, ...sections], { name: 'few', fits: (text) => text.length <= most }, (kept, left) => {
        parts = { kept, left };
        return kept.map(({ title }) => title).join('');
      });
      const { kept, left } = parts;
      expect(kept[0]).toBe(head);
      expect([...kept.slice(1), ...left].toSorted((a, b) => a.title.localeCompare(b.title))).toEqual(
        sections.toSorted((a, b) => a.title.localeCompare(b.title)),
      );
      expect(kept.slice(1)).toEqual(sections.filter((section) => kept.includes(section)));
      const keptRanks = kept.map(({ rank }) => rank);
      expect(Math.max(...keptRanks)).toBeLessThanOrEqual(Math.min(Infinity, ...left.map(({ rank }) => rank)));
    }),
  );
});

test('what can never fit is an error, not a piece of a section', () => {
  const limit = { name: '3 characters', fits: (text: string) => text.length <= 3 };
  expect(() => fitSections([head, open('a', 1, [])], limit, () => 'long')).toThrow(/^3 characters are too few/);
});
