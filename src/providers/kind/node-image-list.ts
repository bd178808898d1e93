import { inputError } from '../../domain/errors.ts';

/** Node images as they are asked for: one for all clusters, and others for clusters of some proxy modes. */
export interface NodeImageList {
  readonly common: string | undefined;
  /** By the name of a proxy mode. */
  readonly byProxyMode: ReadonlyMap<string, string>;
}

/** In an image's name: the Kubernetes version that is asked for, as `v1.34.0`. */
export const versionPlaceholder = '{version}';

/**
 * Reads `IMAGE`, `MODE=IMAGE`, or several of them separated by commas; neither `=` nor `,` is part of any image's name.
 * @throws {ActionableError} of kind `input` for an empty part, or one that is there twice
 */
export function parseNodeImages(text: string): NodeImageList {
  const images = new Map<string, string>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, mode = '', image = ''] = /^(?:([^=]*)=)?(.+)$/.exec(part) ?? [];
    if (image === '' || (part.includes('=') && mode === '') || images.has(mode)) {
      throw inputError({
        expected: 'node images are IMAGE, MODE=IMAGE or several of them, separated by commas, each mode once',
        found: `"${text}"`,
        remedy: 'correct it, as kindest/node:v1.34.0 or kindest/node:v1.34.0,cilium=registry.example/node:v1.34.0',
      });
    }
    images.set(mode, image);
  }
  const common = images.get('');
  images.delete('');
  return { common, byProxyMode: images };
}

/**
 * The image's name with the version put in.
 * @throws {ActionableError} of kind `input` when a version is to be put in and none is asked for
 */
export function withVersion(image: string, kubernetesVersion: string | undefined): string {
  if (!image.includes(versionPlaceholder)) return image;
  if (kubernetesVersion === undefined) {
    throw inputError({
      expected: `a Kubernetes version, which takes the place of ${versionPlaceholder} in node image ${image}`,
      found: 'none is asked for',
      remedy: 'name versions (--kubernetes-versions), or write the version into the image’s name',
    });
  }
  return image.replaceAll(versionPlaceholder, kubernetesVersion.replace(/^v?/, 'v'));
}
