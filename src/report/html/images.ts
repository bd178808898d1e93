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
  /** What there was no room for, in words. */
  readonly left: readonly string[];
}

const darkForms = 'the dark forms';

/** What may be left out of images with these names. */
export const leavable = (images: readonly PageImage[]): readonly string[] => [
  ...images.map(({ name }) => name),
  darkForms,
];

/** Embeds images in their order while `bytes` suffice. The dark forms come after all light ones: all of them, or none. */
export function embed(images: readonly PageImage[], bytes: number): Embedded {
  let room = bytes;
  const embedded: { readonly image: PageImage; readonly light: string }[] = [];
  const left: string[] = [];
  for (const image of images) {
    const light = pngUrl(image.name, image.light);
    if (light.length > room) {
      left.push(image.name);
      continue;
    }
    room -= light.length;
    embedded.push({ image, light });
  }
  const darks = embedded.map(({ image }) => (image.dark === undefined ? undefined : pngUrl(image.name, image.dark)));
  // light and dark pictures side by side would be worse than light ones alone
  const fits = darks.reduce((sum, dark) => sum + (dark?.length ?? 0), 0) <= room;
  const pictures = embedded.map(({ image: { alt }, light }, index): Picture => {
    const dark = fits ? darks[index] : undefined;
    return { alt, light, ...(dark === undefined ? {} : { dark }) };
  });
  return { pictures, left: fits ? left : [...left, darkForms] };
}

function pngUrl(name: string, base64: string): string {
  if (!/^[0-9A-Za-z+/]+={0,2}$/.test(base64)) throw new TypeError(`image ${name} is not base64`);
  return `data:image/png;base64,${base64}`;
}
