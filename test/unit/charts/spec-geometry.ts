import { textWidth } from '../../../src/charts/text-width.ts';
import type { Across, ChartSpec, Drawing } from '../../../src/domain/chart-spec.ts';

export type TextDrawing = Extract<Drawing, { kind: 'text' }>;

export const textsOf = ({ config }: ChartSpec): readonly TextDrawing[] =>
  config.options.drawings.filter((drawing) => drawing.kind === 'text');

export interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a text is drawn, in CSS pixels. All texts stand at a pixel, not at a value. */
export function boxOf({ text, x, y, size, bold, align }: TextDrawing): Box {
  if (!('px' in x)) throw new TypeError(`"${text}" stands at a value`);
  const width = textWidth(text, size, bold);
  const left = x.px - { left: 0, center: width / 2, right: width }[align];
  return { text, left, right: left + width, top: y - size / 2, bottom: y + size / 2 };
}

export const overlaps = (boxes: readonly Box[]): readonly string[] =>
  boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom,
      )
      .map((other) => `"${one.text}" meets "${other.text}"`),
  );

/** Every place along x that a drawing has. */
export function placesOf(drawing: Drawing): readonly Across[] {
  switch (drawing.kind) {
    case 'text':
    case 'mark':
      return [drawing.x];
    case 'line':
    case 'rect':
      return [drawing.from.x, drawing.to.x];
    default:
      return drawing satisfies never;
  }
}

/** Every number in a value, however deep. */
export function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}
