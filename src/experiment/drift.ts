import type { Environment } from '../domain/environment.ts';
import type { Measured } from '../domain/measured.ts';

/** What must be alike for trials to be one experiment; a factor of the matrix may differ across arms. */
const aspects: readonly {
  readonly name: string;
  readonly factor: boolean;
  readonly read: (environment: Environment) => string;
}[] = [
  {
    name: 'tool version',
    factor: false,
    read: ({ tool }) => `${tool.version} ${tool.commit}${tool.dirty ? ' (dirty)' : ''}`,
  },
  { name: 'provider', factor: false, read: ({ provider }) => provider },
  { name: 'Kubernetes version', factor: true, read: ({ kubernetesVersion }) => text(kubernetesVersion) },
  { name: 'proxy mode', factor: true, read: ({ proxyMode }) => text(proxyMode) },
  { name: 'CNI', factor: false, read: ({ cni }) => text(cni) },
  { name: 'node kernels', factor: false, read: ({ nodes }) => distinct(nodes.map(({ kernel }) => kernel)) },
  {
    name: 'container runtimes',
    factor: false,
    read: ({ nodes }) => distinct(nodes.map(({ containerRuntime }) => containerRuntime)),
  },
  { name: 'number of nodes', factor: false, read: ({ nodes }) => `${nodes.length}` },
  { name: 'node image', factor: true, read: ({ nodeImage }) => text(nodeImage) },
  { name: 'probe image', factor: false, read: ({ probeImage }) => text(probeImage) },
  { name: 'client kernel', factor: false, read: ({ client }) => client.kernel },
  { name: 'client Node.js', factor: false, read: ({ client }) => client.node },
];

const text = (quantity: Measured<string>) => (quantity.status === 'measured' ? quantity.value : 'not measured');
const distinct = (values: readonly string[]) => [...new Set(values)].toSorted().join(', ');

/** Every aspect in which the environments differ, as one line. Across arms, the matrix's own factors may differ. */
export function driftBetween(
  environments: readonly Environment[],
  { acrossArms }: { readonly acrossArms: boolean },
): readonly string[] {
  return aspects
    .filter(({ factor }) => !(acrossArms && factor))
    .flatMap(({ name, read }) => {
      const values = [...new Set(environments.map(read))];
      return values.length < 2 ? [] : [`${name} differs between trials: ${values.join(' / ')}`];
    });
}
