import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeLeftovers } from '../../../src/kube/remove-leftovers.ts';
import { refuse, startApiServer } from './api-server.ts';

/** A cluster that has these namespaces and Services, and forgets what is deleted. */
async function clusterWith({ namespaces, services }: { readonly namespaces: string[]; readonly services: string[] }) {
  const deleted: string[] = [];
  const list = (names: readonly string[]) => JSON.stringify({ items: names.map((name) => ({ metadata: { name } })) });
  const server = await startApiServer((request, response, url) => {
    const name = url.pathname.split('/').at(-1) ?? '';
    if (request.method === 'DELETE') {
      deleted.push(url.pathname);
      for (const names of [namespaces, services]) if (names.includes(name)) names.splice(names.indexOf(name), 1);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const answer =
      name === 'namespaces'
        ? list(namespaces)
        : name === 'services'
          ? list(services)
          : name === 'pods'
            ? list([])
            : null;
    if (answer === null) refuse(response, 404, 'gone');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  const folder = mkdtempSync(join(tmpdir(), 'leftovers-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await server[Symbol.asyncDispose]();
  });
  const kubeconfigPath = join(folder, 'config');
  writeFileSync(kubeconfigPath, server.config.exportConfig());
  return { server, deleted, kubeconfigPath };
}

const patient = () => AbortSignal.timeout(20_000);

test('the namespaces of a killed run go, those of other runs and of others stay', async () => {
  const namespaces = ['drainwatch-0000dead-1', 'drainwatch-0000dead-2', 'drainwatch-0000beef-1', 'kube-system'];
  const { server, deleted, kubeconfigPath } = await clusterWith({ namespaces, services: [] });
  const removed = await removeLeftovers({ kubeconfigPath }, '0000dead', patient());
  expect(removed).toEqual(['drainwatch-0000dead-1', 'drainwatch-0000dead-2']);
  expect(namespaces).toEqual(['drainwatch-0000beef-1', 'kube-system']);
  expect(deleted.filter((path) => /0000beef|kube-system/.test(path))).toEqual([]);
  expect(server.asked[0]?.searchParams.get('labelSelector')).toBe('app.kubernetes.io/managed-by=drainwatch');
});

test('in a namespace that was there before, only the run’s own objects go', async () => {
  const services = ['drainwatch-0000dead-1', 'drainwatch-0000beef-1'];
  const { deleted, kubeconfigPath } = await clusterWith({ namespaces: ['team'], services });
  const removed = await removeLeftovers({ kubeconfigPath, namespace: 'team' }, '0000dead', patient());
  expect(removed).toEqual(['drainwatch-0000dead-1 in team']);
  expect(services).toEqual(['drainwatch-0000beef-1']);
  expect(deleted).not.toContain('/api/v1/namespaces/team');
});

test('a cluster without leftovers is left as it is', async () => {
  const { deleted, kubeconfigPath } = await clusterWith({ namespaces: ['kube-system'], services: [] });
  expect(await removeLeftovers({ kubeconfigPath }, '0000dead', patient())).toEqual([]);
  expect(deleted).toEqual([]);
});
