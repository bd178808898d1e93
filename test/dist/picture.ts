import { createCanvas, loadImage } from '@napi-rs/canvas';

/** The pixels of a picture. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue, each 0 to 255. */
  readonly at: (x: number, y: number) => readonly [number, number, number];
}

export async function pictureOf(png: Buffer): Promise<Picture> {
  const image = await loadImage(png);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return {
    width,
    height,
    at: (x, y) => {
      const start = (y * width + x) * 4;
      return [data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0];
    },
  };
}
