import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { charts } from '../../../src/charts/index.ts';
import { fitText, textWidth } from '../../../src/charts/text-width.ts';
import { exampleInput } from './example-input.ts';
import { textsOf } from './spec-geometry.ts';

const fonts = 'node_modules/dejavu-fonts-ttf/ttf';
for (const file of ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'])
  GlobalFonts.registerFromPath(`${fonts}/${file}`, 'Measured');
const context = createCanvas(1, 1).getContext('2d');

function renderedWidth(text: string, size: number, bold: boolean): number {
  context.font = `${bold ? 'bold' : 'normal'} ${size}px "Measured"`;
  return context.measureText(text).width;
}

const texts = [...charts].flatMap((chart) => {
  const input = exampleInput('light');
  const [, arm] = input.aggregate.arms;
  const arms = chart.scope === 'arm' && arm !== undefined ? [arm] : input.aggregate.arms;
  const spec = chart.draw({ ...input, aggregate: { ...input.aggregate, arms } });
  return spec === undefined ? [] : textsOf(spec);
});

test('texts of charts are as wide as they are thought to be, so that none meets another', () => {
  expect(texts.length).toBeGreaterThan(100);
  const wrong = texts.flatMap(({ text, size, bold }) => {
    const ratio = renderedWidth(text, size, bold) / textWidth(text, size, bold);
    return ratio > 1.005 || ratio < 0.85 ? [`${text}: ${ratio}`] : [];
  });
  expect(wrong).toEqual([]);
});

test('a text that does not fit ends with an ellipsis, and fits then', () => {
  const text = 'drains, stays ready · delete · nftables · v1.34.0';
  expect(fitText(text, 400, 12)).toBe(text);
  expect(fitText(text, 120, 12)).toMatch(/^drains, stays.*…$/);
  expect(textWidth(fitText(text, 120, 12), 12)).toBeLessThanOrEqual(120);
  expect(fitText(text, 1, 12)).toBe('d…');
});
