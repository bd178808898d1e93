import type { Across, Drawing } from '../domain/chart-spec.ts';

/** A kind of drawing with its usual look filled in. */
type Of<K extends Drawing['kind']> = Extract<Drawing, { kind: K }>;
type Given<K extends Drawing['kind'], Usual extends keyof Of<K>> = Omit<Of<K>, 'kind' | Usual> & Partial<Of<K>>;

/** The least size of text in any chart, in CSS pixels. */
export const textSize = 12;

export const px = (value: number): Across => ({ px: value });

/** A text whose vertical middle is at `y`. */
export const text = (given: Given<'text', 'layer' | 'size' | 'bold' | 'align'>): Drawing => ({
  kind: 'text',
  layer: 'front',
  size: textSize,
  bold: false,
  align: 'left',
  ...given,
});

export const line = (given: Given<'line', 'layer' | 'width' | 'dash'>): Drawing => ({
  kind: 'line',
  layer: 'middle',
  width: 1,
  dash: [],
  ...given,
});

export const rect = (given: Given<'rect', 'layer'>): Drawing => ({ kind: 'rect', layer: 'back', ...given });

export const mark = (given: Given<'mark', 'layer' | 'strokeWidth'>): Drawing => ({
  kind: 'mark',
  layer: 'front',
  strokeWidth: 1.5,
  ...given,
});
