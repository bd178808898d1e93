import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { clusterConfig } from '../../../../../src/providers/kind/cluster-config.ts';
import { auditPatches, auditPolicy } from '../../../../../src/providers/kind/evidence/audit.ts';

interface KindConfig {
  readonly nodes: readonly { readonly role: string; readonly extraMounts?: readonly object[] }[];
  readonly kubeadmConfigPatches?: readonly string[];
}
const configOf = (folder?: string) => parse(clusterConfig({ name: 'run', workers: 1 }, folder)) as KindConfig;

test('an API server logs where there is a policy for it, and a cluster without one is made as before', () => {
  expect(configOf()).toEqual({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: [{ role: 'control-plane' }, { role: 'worker' }],
  });
  const { nodes, kubeadmConfigPatches } = configOf('/state/cluster.files');
  expect(nodes).toEqual([
    {
      role: 'control-plane',
      extraMounts: [{ hostPath: '/state/cluster.files', containerPath: '/etc/drainwatch', readOnly: true }],
    },
    { role: 'worker' },
  ]);
  expect(kubeadmConfigPatches).toEqual(auditPatches);
});

interface ClusterConfiguration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly apiServer: { readonly extraArgs: unknown; readonly extraVolumes: readonly object[] };
}

test('the API server’s flags are a map in kubeadm’s v1beta3, and a list of names and values in v1beta4', () => {
  const [older, newer] = auditPatches.map((text) => parse(text) as ClusterConfiguration);
  expect(older).toMatchObject({ apiVersion: 'kubeadm.k8s.io/v1beta3', kind: 'ClusterConfiguration' });
  expect(newer).toMatchObject({ apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration' });
  const flags = older?.apiServer.extraArgs as Record<string, string>;
  expect(flags).toMatchObject({ 'audit-log-mode': 'blocking' });
  expect(newer?.apiServer.extraArgs).toEqual(Object.entries(flags).map(([name, value]) => ({ name, value })));
  expect(newer?.apiServer.extraVolumes).toEqual(older?.apiServer.extraVolumes);
});

interface Policy {
  readonly omitStages: readonly string[];
  readonly rules: readonly {
    readonly level: string;
    readonly namespaces?: readonly string[];
    readonly resources?: readonly { readonly resources: readonly string[] }[];
  }[];
}

test('of all requests, writes of pods and endpoints are logged in full, and nothing of kube-system', () => {
  const { omitStages, rules } = parse(auditPolicy) as Policy;
  expect(omitStages).toEqual(['RequestReceived']);
  // the first rule that matches decides
  expect(rules.map(({ level }) => level)).toEqual(['None', 'RequestResponse', 'None']);
  expect(rules[0]?.namespaces).toEqual(['kube-system']);
  expect(rules[1]?.resources?.flatMap(({ resources }) => resources)).toEqual([
    'pods',
    'pods/status',
    'pods/eviction',
    'endpointslices',
    'deployments/scale',
  ]);
});
