import { mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeAbandoned, removeLeftovers } from '../../../src/kube/remove-leftovers.ts';
import { identify } from '../../../src/process/process-identity.ts';
import { ownerAnnotations, ownerKey } from '../../../src/kube/owner.ts';
import { refuse, startApiServer } from './api-server.ts';

interface Content {
  readonly namespaces?: string[];
  readonly services?: string[];
  readonly deployments?: string[];
  /** By name, beside the name. */
  readonly metadata?: Readonly<Record<string, object>>;
}

/** A cluster that has these objects, and forgets what is deleted. */
async function clusterWith({ namespaces = [], services = [], deployments = [], metadata = {} }: Content) {
  const deleted: string[] = [];
  const list = (names: readonly string[]) =>
    JSON.stringify({ items: names.map((name) => ({ metadata: { name, ...metadata[name] } })) });
  const server = await startApiServer((request, response, url) => {
    const name = url.pathname.split('/').at(-1) ?? '';
    if (request.method === 'DELETE') {
      deleted.push(url.pathname);
      for (const names of [namespaces, services, deployments])
        if (names.includes(name)) names.splice(names.indexOf(name), 1);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const lists: Readonly<Record<string, readonly string[]>> = { namespaces, services, deployments, pods: [] };
    const names = lists[name];
    if (names === undefined) refuse(response, 404, 'gone');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(list(names));
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
  const { server, deleted, kubeconfigPath } = await clusterWith({ namespaces });
  const removed = await removeLeftovers({ kubeconfigPath }, 'drainwatch-0000dead', patient());
  expect(removed).toEqual(['drainwatch-0000dead-1', 'drainwatch-0000dead-2']);
  expect(namespaces).toEqual(['drainwatch-0000beef-1', 'kube-system']);
  expect(deleted.filter((path) => /0000beef|kube-system/.test(path))).toEqual([]);
  expect(server.asked[0]?.searchParams.get('labelSelector')).toBe('app.kubernetes.io/managed-by=drainwatch');
});

test('in a namespace that was there before, only the run’s own objects go', async () => {
  const services = ['drainwatch-0000dead-1', 'drainwatch-0000beef-1'];
  const { deleted, kubeconfigPath } = await clusterWith({ namespaces: ['team'], services });
  const removed = await removeLeftovers({ kubeconfigPath, namespace: 'team' }, 'drainwatch-0000dead', patient());
  expect(removed).toEqual(['drainwatch-0000dead-1 in team']);
  expect(services).toEqual(['drainwatch-0000beef-1']);
  expect(deleted).not.toContain('/api/v1/namespaces/team');
});

test('a cluster without leftovers is left as it is', async () => {
  const { deleted, kubeconfigPath } = await clusterWith({ namespaces: ['kube-system'] });
  expect(await removeLeftovers({ kubeconfigPath }, 'drainwatch-0000dead', patient())).toEqual([]);
  expect(deleted).toEqual([]);
});

const living = { annotations: ownerAnnotations(), creationTimestamp: '2026-01-01T00:00:00Z' };
const dead = {
  annotations: {
    [ownerKey]: JSON.stringify({
      ...identify(process.pid),
      pidNamespace: readlinkSync('/proc/self/ns/pid'),
      startTicks: '1',
    }),
  },
  creationTimestamp: new Date().toISOString(),
};
const notices: string[] = [];
const note = (text: string) => void notices.push(text);

test('what a dead process of any run left goes, a living one’s stays, and so does what is being deleted', async () => {
  const namespaces = ['drainwatch-a-1', 'drainwatch-b-1', 'drainwatch-c-1'];
  const metadata = {
    'drainwatch-a-1': dead,
    'drainwatch-b-1': living,
    'drainwatch-c-1': { ...dead, deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  const { deleted, kubeconfigPath } = await clusterWith({ namespaces, metadata });
  expect(await removeAbandoned({ kubeconfigPath }, note, patient())).toEqual(['drainwatch-a-1']);
  expect(namespaces).toEqual(['drainwatch-b-1', 'drainwatch-c-1']);
  expect(deleted.filter((path) => /drainwatch-[bc]/.test(path))).toEqual([]);
  expect(notices.at(-1)).toContain('drainwatch-a-1');
});

test('a Deployment whose Service went already is found too', async () => {
  const [services, deployments] = [['drainwatch-b-1'], ['drainwatch-a-1', 'drainwatch-b-1']];
  const metadata = { 'drainwatch-a-1': dead, 'drainwatch-b-1': living };
  const { kubeconfigPath } = await clusterWith({ namespaces: ['team'], services, deployments, metadata });
  const removed = await removeAbandoned({ kubeconfigPath, namespace: 'team' }, note, patient());
  expect(removed).toEqual(['drainwatch-a-1 in team']);
  expect([services, deployments]).toEqual([['drainwatch-b-1'], ['drainwatch-b-1']]);
});

test('a user who may not list namespaces is told so, and can go on', async () => {
  const server = await startApiServer((_request, response) => {
    refuse(response, 403, 'no');
  });
  const folder = mkdtempSync(join(tmpdir(), 'leftovers-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await server[Symbol.asyncDispose]();
  });
  writeFileSync(join(folder, 'config'), server.config.exportConfig());
  expect(await removeAbandoned({ kubeconfigPath: join(folder, 'config') }, note, patient())).toEqual([]);
  expect(notices.at(-1)).toMatch(/not removed: .*403/);
});
