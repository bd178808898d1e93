import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deploymentManifest, namespaceManifest, serviceManifest, workloadNames } from '../../../src/kube/manifests.ts';
import { ownerKey } from '../../../src/kube/owner.ts';

const spec = { name: 'drain-1', behavior: 'drain', gracePeriodSeconds: 30, drainSeconds: 25 } as const;
const image = { probeImage: 'probe:1', imagePullPolicy: 'Never' } as const;

test('any workload name becomes a DNS label that a Service may have (RFC 1035)', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 120 }), (name) => {
      const { object, namespace, run } = workloadNames({ ...spec, name }, undefined, 'a1b2');
      expect(object).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
      expect([namespace, run]).toEqual([object, object]);
    }),
  );
});

test('long names that differ only at their end stay different', () => {
  const long = 'x'.repeat(80);
  const [one, other] = ['1', '2'].map((end) => workloadNames({ ...spec, name: long + end }, undefined, 'a1b2').object);
  expect(one).not.toBe(other);
});

test('the same workload, deployed again, is called otherwise: what is left of the first is in nobody’s way', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 120 }), (name) => {
      const [one, other] = ['a1b2', 'c3d4'].map((unique) => workloadNames({ ...spec, name }, undefined, unique).object);
      expect(one).not.toBe(other);
    }),
  );
});

test('namespace, Service and Deployment name the process that answers for them; the pods do not', () => {
  const names = workloadNames(spec, undefined, 'a1b2');
  const deployment = deploymentManifest(spec, names, image);
  for (const { metadata } of [namespaceManifest(names), serviceManifest(names, undefined), deployment]) {
    expect(JSON.parse(metadata?.annotations?.[ownerKey] ?? 'null')).toMatchObject({ pid: process.pid });
  }
  expect(deployment.spec?.template.metadata?.annotations).toBeUndefined();
});

test('in a given namespace only the objects are the workload’s', () => {
  expect(workloadNames(spec, 'team', 'a1b2')).toEqual({
    namespace: 'team',
    ownNamespace: false,
    object: 'drainwatch-drain-1-a1b2',
    run: 'drainwatch-drain-1-a1b2',
  });
});

test('the pod meets every control of the restricted Pod Security Standard', () => {
  const pod = deploymentManifest(spec, workloadNames(spec, undefined, 'a1b2'), image).spec?.template.spec;
  expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(pod?.containers.map(({ securityContext }) => securityContext)).toEqual([
    { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  ]);
  expect(pod?.automountServiceAccountToken).toBe(false);
});

test('behaviour, drain and grace reach the pod', () => {
  const pod = deploymentManifest(spec, workloadNames(spec, undefined, 'a1b2'), image).spec?.template.spec;
  expect(pod?.terminationGracePeriodSeconds).toBe(30);
  expect(pod?.containers[0]).toMatchObject({
    image: 'probe:1',
    imagePullPolicy: 'Never',
    args: ['--behavior', 'drain', '--drain-seconds', '25'],
  });
});

test('a node port that was asked for is asked for both protocols, and none otherwise', () => {
  const ports = (nodePort?: number) =>
    serviceManifest(workloadNames(spec, undefined, 'a1b2'), nodePort).spec?.ports?.map((port) => [
      port.protocol,
      port.nodePort,
    ]);
  expect(ports(31000)).toEqual([
    ['TCP', 31000],
    ['UDP', 31000],
  ]);
  expect(ports()).toEqual([
    ['TCP', undefined],
    ['UDP', undefined],
  ]);
});
