import type { Provider } from '../domain/cluster.ts';
import { inputError } from '../domain/errors.ts';
import type { Matrix } from '../domain/matrix.ts';

/** Factors that the caller asked for by name, apart from what the matrix file says. */
export interface ExplicitFactors {
  readonly proxyModes: boolean;
  readonly kubernetesVersions: boolean;
}

/**
 * A provider that makes no cluster has no choice of proxy mode or version: the matrix's factors fall away, and the
 * environment record says what was found. A proxy mode asked for by name is then verified on an existing cluster.
 *
 * @throws {ActionableError} of kind `input` when the caller asked for a factor that the provider can't set or verify.
 */
export function fitMatrix(
  matrix: Matrix,
  provider: Pick<Provider, 'name' | 'capabilities'>,
  asked: ExplicitFactors,
): Matrix {
  if (provider.capabilities.has('cluster-configuration')) return matrix;
  const verifies = provider.capabilities.has('kubernetes-api');
  if (asked.kubernetesVersions) refuse('a Kubernetes version', provider.name);
  if (asked.proxyModes && !verifies) refuse('a proxy mode', provider.name);
  if (asked.proxyModes && matrix.proxyModes.length > 1) refuse('more than one proxy mode', provider.name);
  return {
    ...matrix,
    kubernetesVersions: [],
    proxyModes: asked.proxyModes ? matrix.proxyModes : [],
    // there is one place, and it stays
    clusterReuse: 'shared',
  };
}

function refuse(what: string, provider: string): never {
  throw inputError({
    expected: `provider kind where ${what} is asked for`,
    found: `provider ${provider}, which makes no cluster`,
    remedy: 'use --provider kind, or leave the option out',
  });
}
