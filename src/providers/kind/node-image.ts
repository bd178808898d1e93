import type { ClusterSpec } from '../../domain/cluster.ts';
import { inputError } from '../../domain/errors.ts';
import { measured, type Measured, notMeasured } from '../../domain/measured.ts';
import type { Docker } from './docker.ts';
import { defaultNodeImage, nodeImages } from './kind-release.ts';
import { parseNodeImages, withVersion } from './node-image-list.ts';
import { whatFailed } from '../../process/command-failure.ts';

/** A node image is about a gigabyte. */
const pullMs = 15 * 60_000;

type ImageSpec = Pick<ClusterSpec, 'nodeImage' | 'kubernetesVersion' | 'proxyMode'>;

/**
 * The node image that a specification asks for: by name, else by Kubernetes version (`1.34.0`, `v1.34.0`, or `1.34`
 * for its newest published patch), else undefined: the default.
 */
export function nodeImageFor(spec: ImageSpec): string | undefined {
  if (spec.nodeImage !== undefined) return named(spec.nodeImage, spec);
  if (spec.kubernetesVersion === undefined) return undefined;
  const version = spec.kubernetesVersion.replace(/^v/, '');
  const published = Object.keys(nodeImages).find((known) => known === version || known.startsWith(`${version}.`));
  return (published === undefined ? undefined : nodeImages[published]) ?? `kindest/node:v${version}`;
}

/** What a list of node images has for a specification; undefined where it names only those of other modes. */
function named(images: string, { proxyMode, kubernetesVersion }: ImageSpec): string | undefined {
  const { common, byProxyMode } = parseNodeImages(images);
  const image = (proxyMode === undefined ? undefined : byProxyMode.get(proxyMode)) ?? common;
  if (image !== undefined) return withVersion(image, kubernetesVersion);
  return nodeImageFor(kubernetesVersion === undefined ? {} : { kubernetesVersion });
}

/** What is asked for beside a specification: the run's own node images, and those of the machine's environment. */
export interface NodeImageDefaults {
  readonly asked: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** The node image that a cluster is made of. Availability and creation judge by this one reference. */
export function resolveNodeImage(spec: ImageSpec, { asked, environment }: NodeImageDefaults): string {
  const fallback = [asked, environment.TESTBED_NODE_IMAGE].find((images) => images !== undefined && images !== '');
  return nodeImageFor(spec) ?? (fallback === undefined ? undefined : named(fallback, spec)) ?? defaultNodeImage;
}

export async function isPresent(docker: Docker, reference: string, signal: AbortSignal): Promise<boolean> {
  const { exitCode } = await docker(['image', 'inspect', '--format', '{{.Id}}', reference], {
    signal,
    okExitCodes: [0, 1],
  });
  return exitCode === 0;
}

/**
 * Has the image here before anything is created.
 * @throws {ActionableError} of kind `input` when it is neither present nor can be pulled.
 */
export async function ensureNodeImage(
  docker: Docker,
  reference: string,
  notice: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (await isPresent(docker, reference, signal)) return;
  notice(`pulling the node image ${reference}`);
  try {
    await docker(['pull', '--quiet', reference], { signal, timeoutMs: pullMs });
  } catch (error) {
    signal.throwIfAborted();
    throw inputError(
      {
        expected: 'the node image is present or can be pulled',
        found: `node image ${reference} is neither: ${whatFailed(error)}`,
        remedy: 'name an image that exists, or load it with `docker load`',
      },
      error,
    );
  }
}

/** Images here that carry the name of node images; for advice only: which of them a node can run is not known. */
export async function presentNodeImages(docker: Docker, signal: AbortSignal): Promise<readonly string[]> {
  const format = ['--format', '{{.Repository}}:{{.Tag}}'];
  const { stdout } = await docker(['image', 'ls', '--filter', 'reference=*/node', ...format], { signal });
  return stdout.split('\n').filter((name) => name !== '');
}

/** What a node truly runs: the reference that it was created from, and the image's id. */
export async function readNodeImage(docker: Docker, node: string, signal: AbortSignal): Promise<Measured<string>> {
  try {
    const { stdout } = await docker(['inspect', '--format', '{{.Config.Image}} {{.Image}}', node], { signal });
    return measured(stdout);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`the node's container could not be inspected: ${whatFailed(error)}`);
  }
}
