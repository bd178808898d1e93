import type { Environment, NodeRecord } from '../domain/environment.ts';
import { groupBy } from '../domain/group-by.ts';
import { valueOf } from '../domain/measured.ts';

/** What must be alike for trials to be one experiment; what a factor of the matrix decides may differ across arms. */
const aspects: readonly {
  readonly name: string;
  readonly factor: boolean;
  /** A level of a factor may bring its own along: alike at the same levels only. */
  readonly byLevel?: true;
  /** Undefined where it was not measured: what is unknown differs from nothing. */
  readonly read: (environment: Environment) => string | undefined;
}[] = [
  {
    name: 'tool version',
    factor: false,
    read: ({ tool }) => `${tool.version} ${tool.commit}${tool.dirty ? ' (dirty)' : ''}`,
  },
  { name: 'provider', factor: false, read: ({ provider }) => provider },
  { name: 'Kubernetes version', factor: true, read: ({ kubernetesVersion }) => valueOf(kubernetesVersion) },
  { name: 'kubelet', factor: true, read: ofNodes(({ kubelet }) => kubelet) },
  { name: 'proxy mode', factor: true, read: ({ proxyMode }) => valueOf(proxyMode) },
  // kube-proxy's own defaults of these depend on its mode
  { name: 'proxy minSyncPeriod', factor: true, read: ({ proxyMinSyncPeriod }) => valueOf(proxyMinSyncPeriod) },
  { name: 'proxy syncPeriod', factor: true, read: ({ proxySyncPeriod }) => valueOf(proxySyncPeriod) },
  // Cilium is both data plane and pod network
  { name: 'CNI', factor: true, byLevel: true, read: ({ cni }) => valueOf(cni) },
  { name: 'software emulation', factor: false, read: ({ emulated = false }) => (emulated ? 'yes' : 'no') },
  { name: 'node kernels', factor: false, read: ofNodes(({ kernel }) => kernel) },
  // a node image comes with both
  { name: 'node operating systems', factor: true, byLevel: true, read: ofNodes(({ osImage }) => osImage) },
  {
    name: 'container runtimes',
    factor: true,
    byLevel: true,
    read: ofNodes(({ containerRuntime }) => containerRuntime),
  },
  { name: 'number of nodes', factor: false, read: ({ nodes }) => (nodes.length === 0 ? undefined : `${nodes.length}`) },
  { name: 'node image', factor: true, read: ({ nodeImage }) => valueOf(nodeImage) },
  { name: 'probe image', factor: false, read: ({ probeImage }) => valueOf(probeImage) },
  { name: 'client kernel', factor: false, read: ({ client }) => client.kernel },
  { name: 'client Node.js', factor: false, read: ({ client }) => client.node },
  { name: 'client CPUs', factor: false, read: ({ client }) => `${client.cpus}` },
  { name: 'path', factor: false, read: ({ path }) => withoutAddress(path) },
  { name: 'client architecture', factor: false, read: ({ client }) => client.architecture },
];

/** Distinct values of the nodes. Without a cluster, or the right to list its nodes, there are none. */
function ofNodes(read: (node: NodeRecord) => string): (environment: Environment) => string | undefined {
  return ({ nodes }) => (nodes.length === 0 ? undefined : [...new Set(nodes.map(read))].toSorted().join(', '));
}

/**
 * Another node, or a new cluster's addresses, are the same way; `(InternalIP)` and what else stands in brackets names it.
 * From the start of a word only: else the time grows with the square of a word's length.
 */
const withoutAddress = (path: string): string => path.replace(/(?<!\S)\S+ (?=\()/, '');

/** An aspect, and every value that it has in some environments; none where it was measured in none. */
export interface AspectValues {
  readonly name: string;
  /** Whether a factor of the matrix decides it. */
  readonly factor: boolean;
  readonly values: readonly string[];
}

export const aspectValues = (environments: readonly Environment[]): readonly AspectValues[] =>
  [
    ...aspects,
    // kube-proxy and the node image set some
    ...namedIn(environments, { factor: true, read: ({ sysctls }) => valueOf(sysctls) }),
    ...namedIn(environments, { factor: false, read: ({ hostTools }) => valueOf(hostTools) }),
  ].map(({ name, factor, read }) => ({
    name,
    factor,
    values: [...new Set(environments.flatMap((environment) => read(environment) ?? []))],
  }));

/** Every aspect in which the environments differ, as one line. Across arms, what the matrix's factors decide may differ. */
export const driftBetween = (
  environments: readonly Environment[],
  { acrossArms }: { readonly acrossArms: boolean },
): readonly string[] =>
  aspectValues(environments)
    .filter(({ factor, values }) => values.length > 1 && !(acrossArms && factor))
    .map(lineOf);

const lineOf = ({ name, values }: AspectValues): string => `${name} differs between trials: ${values.join(' / ')}`;

/** A trial of a run, with the levels that its arm has of all factors but the scenario. */
export interface LeveledEnvironment {
  readonly levels: string;
  readonly environment: Environment;
}

/**
 * Drift across the arms of a run. What the matrix's factors decide may differ; what a level only brings along may differ
 * between levels and not within one.
 */
export function driftAcrossArms(trials: readonly LeveledEnvironment[]): readonly string[] {
  const distinct = (group: readonly LeveledEnvironment[]) => [...new Set(group.map(({ environment }) => environment))];
  const brought = new Set(aspects.flatMap(({ name, byLevel }) => (byLevel === true ? [name] : [])));
  const within = [...groupBy(trials, ({ levels }) => levels).values()].flatMap((group) =>
    aspectValues(distinct(group))
      .filter(({ name, values }) => brought.has(name) && values.length > 1)
      .map(lineOf),
  );
  return [...new Set([...driftBetween(distinct(trials), { acrossArms: true }), ...within])];
}

interface NamedValues {
  readonly factor: boolean;
  readonly read: (environment: Environment) => Readonly<Record<string, string>> | undefined;
}

/** An aspect for each name that any of the environments has. */
function namedIn(environments: readonly Environment[], { factor, read }: NamedValues): typeof aspects {
  const names = new Set(environments.flatMap((environment) => Object.keys(read(environment) ?? {})));
  return [...names].map((name) => ({ name, factor, read: (environment) => read(environment)?.[name] }));
}
