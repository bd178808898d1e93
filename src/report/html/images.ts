import type { Picture } from '../document/model.ts';

/** A chart as it goes into the page: the bytes of its PNG files in base64. */
export interface PageImage {
  readonly name: string;
  readonly alt: string;
  readonly light: string;
  readonly dark?: string;
}

export interface Embedded {
  readonly pictures: readonly Picture[];
  /** Names of images, or of their dark forms, that there was no room for. */
  readonly left: readonly string[];
}

/** Embeds images in their order while there is room for `bytes`; the dark forms come after all light ones. */
export function embed(images: readonly PageImage[], bytes: number): Embedded {
  let room = bytes;
  const take = (image: PageImage, theme: 'light' | 'dark', base64: string): string | undefined => {
    if (!/^[0-9A-Za-z+/]+={0,2}$/.test(base64)) throw new TypeError(`image ${image.name} (${theme}) is not base64`);
    const url = `data:image/png;base64,${base64}`;
    if (url.length > room) return undefined;
    room -= url.length;
    return url;
  };
  const lights = images.map((image) => ({ image, light: take(image, 'light', image.light) }));
  const left: string[] = [];
  const pictures = lights.flatMap(({ image, light }): readonly Picture[] => {
    if (light === undefined) {
      left.push(image.name);
      return [];
    }
    if (image.dark === undefined) return [{ alt: image.alt, light }];
    const dark = take(image, 'dark', image.dark);
    if (dark === undefined) left.push(`${image.name} (dark)`);
    return [{ alt: image.alt, light, ...(dark === undefined ? {} : { dark }) }];
  });
  return { pictures, left };
}
