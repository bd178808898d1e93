import type { Provider } from '../domain/cluster.ts';
import { inputError } from '../domain/errors.ts';
import type { Matrix } from '../domain/matrix.ts';

/** Factors that the caller asked for by name, apart from what the matrix file says. */
export interface ExplicitFactors {
  readonly proxyModes: boolean;
  readonly kubernetesVersions: boolean;
  /** One node port was given for all workloads, and only one of them can have it. */
  readonly nodePort?: boolean;
}

/**
 * Trials at once on a cluster of the kind provider for which no metric was seen to shift beyond its floor, on two cores:
 * docs/results/aa-lanes-kind-v1.34.0, where ten at once did.
 */
export const shownConcurrency = 5;

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
  const concurrency = fitConcurrency(matrix, provider, asked);
  if (provider.capabilities.has('cluster-configuration')) return { ...matrix, concurrency };
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
    concurrency,
  };
}

function fitConcurrency(
  { concurrency }: Matrix,
  { capabilities }: Pick<Provider, 'capabilities'>,
  { nodePort = false }: ExplicitFactors,
): number {
  // how many trials an unknown place bears was not shown
  if (concurrency === 'auto') return nodePort || !capabilities.has('cluster-configuration') ? 1 : shownConcurrency;
  if (concurrency === 1 || !nodePort) return concurrency;
  throw inputError({
    expected: 'a node port for each of the trials that run at once',
    found: `one node port, and concurrency ${concurrency}`,
    remedy: 'leave the port out, so that the cluster chooses, or set concurrency to 1',
  });
}

function refuse(what: string, provider: string): never {
  throw inputError({
    expected: `provider kind where ${what} is asked for`,
    found: `provider ${provider}, which makes no cluster`,
    remedy: 'use --provider kind, or leave the option out',
  });
}
