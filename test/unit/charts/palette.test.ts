import { describe, expect, test } from 'vitest';
import { inkOn, luminance, outcomeFill, palettes } from '../../../src/charts/palette.ts';
import { themes } from '../../../src/domain/chart.ts';
import { outcomeOrder } from '../../../src/domain/outcome-words.ts';
import { distance, seen, visions } from './color-vision.ts';

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const pairs = <T>(items: readonly T[]) =>
  items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const));

test('black on white has the greatest contrast that WCAG knows, 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});

describe.each(themes)('on a %s page', (theme) => {
  const palette = palettes[theme];

  test('text is read, with a contrast of at least 4.5 on the background and on stripes', () => {
    for (const under of [palette.background, palette.stripe]) {
      expect(contrast(palette.text, under)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(palette.muted, under)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('marks are seen, with a contrast of at least 3', () => {
    for (const color of Object.values(palette.roles)) {
      expect(contrast(color, palette.background)).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(Object.keys(visions) as (keyof typeof visions)[])(
    'no two roles look alike to someone with %s',
    (vision) => {
      const distances = pairs(Object.values(palette.roles)).map(([one, other]) =>
        distance(seen(one, vision), seen(other, vision)),
      );
      expect(Math.min(...distances)).toBeGreaterThan(10);
    },
  );
});

describe('in a bar of outcomes', () => {
  test('the count is read on every fill', () => {
    for (const outcome of outcomeOrder) {
      const fill = outcomeFill(outcome);
      expect(contrast(inkOn(fill), fill), outcome).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('no two outcomes have one fill', () => {
    expect(new Set(outcomeOrder.map(outcomeFill)).size).toBe(outcomeOrder.length);
  });
});
