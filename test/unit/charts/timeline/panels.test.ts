import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { owns, panelsOf, pixelOn } from '../../../../src/charts/timeline/panels.ts';
import { segmentsOf } from '../../../../src/charts/timeline/segments.ts';

const plot = { left: 238, width: 586 };
const times = fc.array(fc.double({ min: 0, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 25 });

describe('panels', () => {
  test('share the width of the plot, one after the other', () => {
    fc.assert(
      fc.property(times, (sample) => {
        const panels = panelsOf(segmentsOf(sample), sample, plot);
        const [first, ...rest] = panels;
        expect(first?.left).toBe(plot.left);
        rest.forEach(({ left }, index) => {
          const before = panels[index];
          expect(left).toBeCloseTo((before?.left ?? 0) + (before?.width ?? 0));
        });
        expect(panels.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(plot.width);
      }),
    );
  });

  test('place every time in the one panel that owns it, and never show a time twice', () => {
    fc.assert(
      fc.property(times, (sample) => {
        const panels = panelsOf(segmentsOf(sample), sample, plot);
        for (const time of sample) {
          const [owner, ...others] = panels.filter((panel) => owns(panel, time));
          expect(others).toEqual([]);
          expect(owner).toBeDefined();
          if (owner === undefined) return;
          expect(pixelOn(owner, time)).toBeGreaterThanOrEqual(owner.left);
          expect(pixelOn(owner, time)).toBeLessThanOrEqual(owner.left + owner.width);
        }
        const ranges = panels.flatMap(({ min, max }) => [min, max]);
        expect(ranges).toEqual(ranges.toSorted((a, b) => a - b));
      }),
    );
  });

  test('have marks at round times, in the unit of the times beside them', () => {
    const panels = panelsOf(
      [
        { from: 0, to: 45 },
        { from: 25_030, to: 25_500 },
      ],
      [0, 45, 25_030, 25_500],
      plot,
    );
    const labels = panels.map(({ marks }) => marks.map(({ label }) => label.replace('\u00a0', ' ')));
    expect(labels).toEqual([
      ['0', '20 ms', '40 ms'],
      ['25.2 s', '25.4 s', '25.6 s'],
    ]);
  });
});
