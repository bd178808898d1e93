import type { Across, Drawing, PointShape } from '../domain/chart-spec.ts';
import type { Surface } from './surface.ts';

/** Where something along x lies, in CSS pixels. */
export type PixelOf = (across: Across) => number;

export function draw(surface: Surface, drawing: Drawing, pixelOf: PixelOf, fontFamily: string): void {
  surface.save();
  switch (drawing.kind) {
    case 'text':
      surface.font = `${drawing.bold ? 'bold' : 'normal'} ${drawing.size}px "${fontFamily}"`;
      surface.textAlign = drawing.align;
      surface.textBaseline = 'middle';
      surface.fillStyle = drawing.color;
      surface.fillText(drawing.text, pixelOf(drawing.x), drawing.y);
      break;
    case 'line':
      surface.strokeStyle = drawing.color;
      surface.lineWidth = drawing.width;
      surface.setLineDash([...drawing.dash]);
      surface.beginPath();
      surface.moveTo(pixelOf(drawing.from.x), drawing.from.y);
      surface.lineTo(pixelOf(drawing.to.x), drawing.to.y);
      surface.stroke();
      break;
    case 'rect': {
      const [left, right] = [pixelOf(drawing.from.x), pixelOf(drawing.to.x)];
      surface.fillStyle = drawing.fill;
      surface.fillRect(left, drawing.from.y, right - left, drawing.to.y - drawing.from.y);
      break;
    }
    case 'mark':
      outline(surface, drawing.shape, pixelOf(drawing.x), drawing.y, drawing.radius);
      surface.fillStyle = drawing.fill;
      surface.fill();
      surface.strokeStyle = drawing.stroke;
      surface.lineWidth = drawing.strokeWidth;
      surface.stroke();
      break;
    default:
      drawing satisfies never;
  }
  surface.restore();
}

/** Corners from the top, clockwise, for a radius of 1: as Chart.js draws the same shapes. */
const corners: Readonly<Record<Exclude<PointShape, 'circle'>, readonly (readonly [number, number])[]>> = {
  rectRot: [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ],
  triangle: [
    [0, -1],
    [Math.sqrt(3) / 2, 0.5],
    [-Math.sqrt(3) / 2, 0.5],
  ],
  rect: [
    [Math.SQRT1_2, -Math.SQRT1_2],
    [Math.SQRT1_2, Math.SQRT1_2],
    [-Math.SQRT1_2, Math.SQRT1_2],
    [-Math.SQRT1_2, -Math.SQRT1_2],
  ],
};

function outline(surface: Surface, shape: PointShape, x: number, y: number, radius: number): void {
  surface.beginPath();
  if (shape === 'circle') {
    surface.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  for (const [across, down] of corners[shape]) surface.lineTo(x + across * radius, y + down * radius);
  surface.closePath();
}
