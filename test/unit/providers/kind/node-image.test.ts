import { expect, test } from 'vitest';
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
