import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ActionableError } from '../../../src/domain/errors.ts';
import { loadKubeconfig } from '../../../src/kube/kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'drainwatch-kubeconfig-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const written = (content: string) => {
  const path = join(folder, 'config');
  writeFileSync(path, content);
  return path;
};
const kubeconfig = (change: Record<string, unknown> = {}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'one', context: { cluster: 'c', user: 'u' } }],
    ...change,
  });
const failureOf = (kubeconfigPath: string, context?: string): ActionableError => {
  try {
    loadKubeconfig({ kubeconfigPath, ...(context === undefined ? {} : { context }) });
  } catch (error) {
    if (error instanceof ActionableError) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

test('a whole kubeconfig is accepted, with the context that was asked for', () => {
  const contexts = ['one', 'two'].map((name) => ({ name, context: { cluster: 'c', user: 'u' } }));
  const config = loadKubeconfig({ kubeconfigPath: written(kubeconfig({ contexts })), context: 'two' });
  expect(config.getCurrentContext()).toBe('two');
});

test.each([
  ['no YAML', '{', undefined, ''],
  ['an empty file', '', undefined, ''],
  ['no current context', kubeconfig({ 'current-context': '' }), undefined, 'its contexts are one'],
  ['an unknown context', kubeconfig(), 'two', 'its contexts are one'],
  ['a context of an unknown cluster', kubeconfig({ clusters: [] }), undefined, '"c"'],
  ['a context of an unknown user', kubeconfig({ users: [] }), undefined, '"u"'],
  ['no server address', kubeconfig({ clusters: [{ name: 'c', cluster: { server: 'nowhere' } }] }), undefined, 'server'],
  ['plain HTTP', kubeconfig({ clusters: [{ name: 'c', cluster: { server: 'http://a' } }] }), undefined, 'plain HTTP'],
] as const)('a kubeconfig with %s is an input error that says so', (_what, content, context, found) => {
  const error = failureOf(written(content), context);
  expect(error.kind).toBe('input');
  expect(error.facts.found).toContain(found);
});

test('a kubeconfig that is not there is an input error that names its path', () => {
  const kubeconfigPath = join(folder, 'none');
  const error = failureOf(kubeconfigPath);
  expect(error.kind).toBe('input');
  expect(error.facts.found).toContain(kubeconfigPath);
});
