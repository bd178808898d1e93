import { expect, test } from 'vitest';
import { parseNodeImages } from '../../../../src/providers/kind/node-image-list.ts';
import { defaultNodeImage, nodeImages } from '../../../../src/providers/kind/kind-release.ts';
import { nodeImageFor, resolveNodeImage } from '../../../../src/providers/kind/node-image.ts';

const spec = { name: 'run', workers: 1 };

test('a named node image is used as it is named, whatever the version', () => {
  expect(nodeImageFor({ ...spec, nodeImage: 'own/node:1', kubernetesVersion: '1.34.0' })).toBe('own/node:1');
});

test.each([
  ['v1.34.0', nodeImages['1.34.0']],
  ['1.34.0', nodeImages['1.34.0']],
  ['1.34', nodeImages['1.34.11']],
  ['v1.37', nodeImages['1.37.0']],
])('version %s is the published image by digest', (kubernetesVersion, image) => {
  expect(image).toMatch(/^kindest\/node:v1\.\d+\.\d+@sha256:[\da-f]{64}$/);
  expect(nodeImageFor({ ...spec, kubernetesVersion })).toBe(image);
});

test('a version without a published digest is asked for by tag', () => {
  expect(nodeImageFor({ ...spec, kubernetesVersion: '1.34.1' })).toBe('kindest/node:v1.34.1');
  expect(nodeImageFor({ ...spec, kubernetesVersion: '1.3' })).toBe('kindest/node:v1.3');
});

test('the specification comes first, then what the run names, then the environment, then the default', () => {
  const environment = { TESTBED_NODE_IMAGE: 'testbed/node:1' };
  const asked = 'asked/node:1';
  expect(resolveNodeImage({ nodeImage: 'own/node:1' }, { asked, environment })).toBe('own/node:1');
  expect(resolveNodeImage({ kubernetesVersion: '1.34.0' }, { asked, environment })).toBe(nodeImages['1.34.0']);
  expect(resolveNodeImage({}, { asked, environment })).toBe(asked);
  expect(resolveNodeImage({}, { asked: undefined, environment })).toBe('testbed/node:1');
  expect(resolveNodeImage({}, { asked: undefined, environment: {} })).toBe(defaultNodeImage);
});

test('the default is the newest of the table', () => {
  expect(Object.values(nodeImages)[0]).toBe(defaultNodeImage);
});

test('one option names the image of all clusters and those of single proxy modes', () => {
  const nodeImage = 'own/node:1,cilium=own/cilium-node@sha256:0a';
  expect(nodeImageFor({ nodeImage })).toBe('own/node:1');
  expect(nodeImageFor({ nodeImage, proxyMode: 'nftables' })).toBe('own/node:1');
  expect(nodeImageFor({ nodeImage, proxyMode: 'cilium' })).toBe('own/cilium-node@sha256:0a');
});

test('a mode without an image of its own has that of its version, where there is none for all', () => {
  const nodeImage = 'cilium=own/node:2';
  expect(nodeImageFor({ nodeImage, proxyMode: 'iptables', kubernetesVersion: '1.34.0' })).toBe(nodeImages['1.34.0']);
  expect(resolveNodeImage({ nodeImage, proxyMode: 'iptables' }, { asked: nodeImage, environment: {} })).toBe(
    defaultNodeImage,
  );
});

test('the version takes its place in an image’s name, in the form that tags have', () => {
  const nodeImage = 'own/node:{version},cilium=own/node-cilium:{version}-v1';
  expect(nodeImageFor({ nodeImage, kubernetesVersion: '1.34.0' })).toBe('own/node:v1.34.0');
  expect(nodeImageFor({ nodeImage, kubernetesVersion: 'v1.37.2', proxyMode: 'cilium' })).toBe(
    'own/node-cilium:v1.37.2-v1',
  );
  expect(() => nodeImageFor({ nodeImage })).toThrow(/a Kubernetes version, which takes the place of {version}/);
});

test.each(['', 'a,', '=a', 'a,b', 'cilium=a,cilium=b', 'cilium='])('"%s" is no list of node images', (text) => {
  expect(() => parseNodeImages(text)).toThrow(expect.objectContaining({ kind: 'input' }) as Error);
});
