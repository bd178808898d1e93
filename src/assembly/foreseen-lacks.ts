import type { ClusterSpec, Provider } from '../domain/cluster.ts';
import type { FailureFacts } from '../domain/errors.ts';
import { clusterSpecOf } from '../experiment/group-cluster.ts';
import type { Plan } from '../experiment/plan.ts';

/** A proxy mode whose clusters can't be had here, and why. */
export interface ForeseenLack {
  readonly proxyMode: string;
  readonly facts: FailureFacts;
}

/** The proxy modes of a plan that will be skipped, as far as the provider can tell before anything is made. */
export async function foreseenLacks(
  { groups }: Plan,
  provider: Pick<Provider, 'lack'>,
  shared: Pick<ClusterSpec, 'nodeImage' | 'workers'>,
  signal: AbortSignal,
): Promise<readonly ForeseenLack[]> {
  const found = new Map<string, FailureFacts>();
  for (const group of groups) {
    const proxyMode = group.proxyMode?.name;
    if (proxyMode === undefined || found.has(proxyMode)) continue;
    const facts = await provider.lack?.(clusterSpecOf(group, proxyMode, shared), signal);
    if (facts !== undefined) found.set(proxyMode, facts);
  }
  return [...found].map(([proxyMode, facts]) => ({ proxyMode, facts }));
}

/** One line that says what is lacking and what to do. */
export const lackLine = ({ proxyMode, facts: { found, remedy } }: ForeseenLack): string =>
  `proxy mode ${proxyMode} can't run here: ${found}; ${remedy}`;
