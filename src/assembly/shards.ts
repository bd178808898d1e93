import type { Plan } from '../experiment/plan.ts';

/** A part of a matrix that one job of a workflow runs: the arms that share a cluster. */
export interface Shard {
  /** Of letters, digits, dots, hyphens and underscores; no other shard of the matrix has it. */
  readonly name: string;
  /** Factors to lay over the matrix. Empty lists: those that the matrix leaves to its provider. */
  readonly scenarios: readonly string[];
  readonly proxyModes: readonly string[];
  readonly kubernetesVersions: readonly string[];
}

/** The shards of a plan: together they run each of its arms once. */
export const shardsOf = ({ groups }: Plan): readonly Shard[] =>
  groups.map(({ arms, proxyMode, kubernetesVersion }) => {
    const scenarios = arms.map(({ scenario }) => scenario.name);
    const levels = [proxyMode?.name, kubernetesVersion].filter((level) => level != null);
    const parts = [...(scenarios.length === 1 ? scenarios : []), ...levels];
    return {
      name: (parts.length === 0 ? ['all'] : parts).join('-').replaceAll(/[^A-Za-z0-9._-]+/g, '-'),
      scenarios,
      proxyModes: proxyMode === null ? [] : [proxyMode.name],
      kubernetesVersions: kubernetesVersion === null ? [] : [kubernetesVersion],
    };
  });
