import type { Availability } from '../../domain/cluster.ts';
import { ActionableError, describeError, type FailureFacts } from '../../domain/errors.ts';
import { askDocker, type Docker } from './docker.ts';
import { findKind, kindDownload, type KindLookup } from './kind-binary.ts';
import { kindRelease } from './kind-release.ts';
import { isPresent, presentNodeImages } from './node-image.ts';
import { whatFailed } from '../../process/command-failure.ts';

/** Time for the first answer of a host in the Internet. */
const reachMs = 15_000;

/**
 * Whether a cluster of these node images could be made here: Docker answers, and kind and each image are here or can
 * be fetched. Asks, and changes nothing.
 */
export async function kindAvailability(
  docker: Docker,
  lookup: KindLookup,
  nodeImages: readonly string[],
  signal: AbortSignal,
): Promise<Availability> {
  if (process.platform !== 'linux') {
    return {
      available: false,
      reason: `kind clusters are dialled at their nodes' addresses, which ${process.platform} does not route to`,
      remedy: 'run it on Linux',
    };
  }
  const daemon = await askDocker(docker, lookup.environment, signal);
  if (!daemon.available) return daemon;
  const kind = await kindSource(lookup, signal);
  if (!kind.available) return kind;
  const details = [`Docker ${daemon.version}`, kind.detail];
  for (const reference of nodeImages) {
    const image = await imageSource(docker, reference, signal);
    if (!image.available) return image;
    details.push(image.detail);
  }
  return { available: true, detail: details.join(', ') };
}

async function kindSource(lookup: KindLookup, signal: AbortSignal): Promise<Availability> {
  try {
    const found = await findKind(lookup);
    if (found !== undefined) return { available: true, detail: found };
  } catch (error) {
    if (!(error instanceof ActionableError)) throw error;
    return { available: false, reason: error.facts.found, remedy: error.facts.remedy };
  }
  const download = kindDownload(lookup);
  const problem = download === undefined ? 'none is pinned for this machine' : await unreachable(download.url, signal);
  if (problem === undefined) return { available: true, detail: `kind ${kindRelease.version}, to be downloaded` };
  return {
    available: false,
    reason: `kind is not on PATH and can't be downloaded: ${problem}`,
    remedy: 'install kind, or name its path',
  };
}

async function unreachable(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(reachMs)]);
    const response = await fetch(url, { method: 'HEAD', signal: bounded });
    return response.ok ? undefined : `HTTP ${response.status}`;
  } catch (error) {
    signal.throwIfAborted();
    return describeError(error instanceof Error && error.cause instanceof Error ? error.cause : error);
  }
}

/** Why clusters of a node image can't be made here; undefined where they can. */
export async function imageLack(
  docker: Docker,
  reference: string,
  signal: AbortSignal,
): Promise<FailureFacts | undefined> {
  const source = await imageSource(docker, reference, signal);
  if (source.available) return undefined;
  return { expected: 'the node image is present or can be pulled', found: source.reason, remedy: source.remedy };
}

async function imageSource(docker: Docker, reference: string, signal: AbortSignal): Promise<Availability> {
  if (await isPresent(docker, reference, signal)) return { available: true, detail: `node image ${reference}` };
  try {
    await docker(['manifest', 'inspect', reference], { signal, timeoutMs: reachMs });
    return { available: true, detail: `node image ${reference}, to be pulled` };
  } catch (error) {
    signal.throwIfAborted();
    const present = await presentNodeImages(docker, signal);
    return {
      available: false,
      reason: `node image ${reference} is not present and can't be pulled: ${whatFailed(error)}`,
      remedy:
        present.length === 0
          ? `see that \`docker pull ${reference}\` works, or load a node image and name it`
          : `name one that is present (${present.join(', ')}), or see that \`docker pull ${reference}\` works`,
    };
  }
}
