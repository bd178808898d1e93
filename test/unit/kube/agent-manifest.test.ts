import { expect, test } from 'vitest';
import { agentManifest } from '../../../src/kube/agent-manifest.ts';
import { deploymentManifest, serviceManifest, workloadNames } from '../../../src/kube/manifests.ts';

const spec = { name: 'drain-1', behavior: 'drain', gracePeriodSeconds: 30, drainSeconds: 25 } as const;
const names = workloadNames(spec, undefined, 'a1b2');
const image = { probeImage: 'probe:1', imagePullPolicy: 'Never' } as const;
const owner = { apiVersion: 'v1', kind: 'Service', name: names.object, uid: 'u' };
const manifest = (place: 'same-node' | 'cross-node') => agentManifest(names, { place, node: 'node-a', image, owner });

test('a client pod meets the restricted Pod Security Standard, as the workload’s does', () => {
  const workload = deploymentManifest(spec, names, image).spec?.template.spec;
  const { spec: client } = manifest('same-node');
  expect(client?.securityContext).toEqual(workload?.securityContext);
  expect(client?.containers.map((each) => each.securityContext)).toEqual(
    workload?.containers.map((each) => each.securityContext),
  );
  expect(client?.automountServiceAccountToken).toBe(false);
});

test('neither Service nor Deployment takes a client for the workload', () => {
  const labels = manifest('same-node').metadata?.labels ?? {};
  const isSelected = (selector: Readonly<Record<string, string>> = {}) =>
    Object.entries(selector).every(([key, value]) => labels[key] === value);
  expect(isSelected(serviceManifest(names, undefined).spec?.selector)).toBe(false);
  expect(isSelected(deploymentManifest(spec, names, image).spec?.selector.matchLabels)).toBe(false);
});

test.each([
  ['same-node', 'In'],
  ['cross-node', 'NotIn'],
] as const)('a client of %s may run on nodes %s that of the workload', (place, operator) => {
  const required = manifest(place).spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  expect(required?.nodeSelectorTerms).toEqual([
    { matchFields: [{ key: 'metadata.name', operator, values: ['node-a'] }] },
  ]);
});

test('a client goes with the Service', () => {
  expect(manifest('cross-node').metadata?.ownerReferences).toEqual([owner]);
});
