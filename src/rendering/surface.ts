/** The part of a 2D canvas context that drawings need; Chart.js declares its own through the DOM's types, which Node.js lacks. */
export interface Surface {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  save(): void;
  restore(): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  setLineDash(segments: number[]): void;
}

/** @throws {TypeError} for anything but a 2D canvas context. */
export function surfaceOf(context: unknown): Surface {
  if (!isSurface(context)) throw new TypeError('a chart draws on a 2D canvas context');
  return context;
}

const isSurface = (context: unknown): context is Surface =>
  typeof context === 'object' && context !== null && 'fillText' in context && 'setLineDash' in context;
