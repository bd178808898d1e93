import { readFile } from 'node:fs/promises';
import { describeError, inputError } from '../../domain/errors.ts';
import type { NodeKubectl } from './node-kubectl.ts';

/** In a manifest, what stands for the API server's address on the nodes' network: its name follows the cluster's. */
const hostPlaceholder = '${API_SERVER_HOST}';
const portPlaceholder = '${API_SERVER_PORT}';

/**
 * Applies a manifest whose images the nodes have.
 * @throws {ActionableError} of kind `input` when it can't be read
 */
export async function installManifest(
  path: string,
  { host, port }: { readonly host: string; readonly port: number },
  kubectl: Pick<NodeKubectl, 'apply'>,
): Promise<void> {
  await kubectl.apply((await read(path)).replaceAll(hostPlaceholder, host).replaceAll(portPlaceholder, `${port}`));
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const found = describeError(error);
    throw inputError({ expected: 'a manifest that can be read', found, remedy: 'give another path' }, error);
  }
}
