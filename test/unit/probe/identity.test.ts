import { expect, test } from 'vitest';
import { drawIdentity } from '../../../probe/src/identity.ts';
import { StartFailure } from '../../../probe/src/start-failure.ts';

test('an identity is the pod and eight lower-case hexadecimal digits', () => {
  const identity = drawIdentity('web-7d4b9c6f5d-x2x9q');
  expect(identity.pod).toBe('web-7d4b9c6f5d-x2x9q');
  expect(identity.text).toMatch(/^web-7d4b9c6f5d-x2x9q\/[0-9a-f]{8}$/);
});

test('a second process of the same pod is another identity', () => {
  expect(drawIdentity('web').text).not.toBe(drawIdentity('web').text);
});

test.each(['', 'a b', 'a/b', 'pöd', 'a\n', '\u007f', 'a'.repeat(254)])('%j can not be a field of a line', (pod) => {
  expect(() => drawIdentity(pod)).toThrow(StartFailure);
});

test('the longest pod name of Kubernetes is accepted', () => {
  expect(drawIdentity('a'.repeat(253)).pod).toHaveLength(253);
});
