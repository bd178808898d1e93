import { AsyncDisposableStack } from '@whatwg-node/disposablestack';
import { notMeasured } from '../../../src/domain/measured.ts';
import { expect, onTestFinished, test } from 'vitest';
import { KubernetesApi } from '../../../src/kube/api.ts';
import { createNamespace, createObjects } from '../../../src/kube/create-objects.ts';
import { workloadNames } from '../../../src/kube/manifests.ts';
import { type Answer, refuse, startApiServer } from './api-server.ts';

const spec = { name: 'x', behavior: 'drain', gracePeriodSeconds: 30, drainSeconds: 25 } as const;
const options = {
  kubeconfigPath: undefined,
  provider: 'kubeconfig',
  name: 'x',
  probeImage: 'probe:1',
  imagePullPolicy: 'Never',
  tool: { version: '0', commit: 'none', dirty: false },
  nodeImage: notMeasured('no cluster'),
  hostTools: notMeasured('no cluster'),
  onDispose: () => Promise.resolve(),
  notice: () => undefined,
} as const;

/** An API server that answers creates as told, and has a namespace and objects once `make` was called. */
async function serverThat(onCreate: (path: string, make: () => void) => Answer | undefined) {
  const objects = new Set<string>();
  const deleted: string[] = [];
  const server = await startApiServer((request, response, url) => {
    const { pathname } = url;
    const succeed = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    request.resume().on('end', () => {
      if (request.method === 'POST') {
        const answer = onCreate(pathname, () => objects.add(pathname));
        if (answer === undefined) succeed({});
        else answer(request, response, url);
        return;
      }
      const collection = pathname.replace(/\/[^/]+$/, '');
      if (request.method === 'DELETE' && !pathname.endsWith('/pods')) {
        if (objects.delete(collection)) {
          deleted.push(pathname);
          succeed({});
        } else refuse(response, 404, 'none');
      } else if (pathname.endsWith('/pods')) succeed({ items: [] });
      else if (objects.has(collection)) succeed({});
      else refuse(response, 404, 'none');
    });
  });
  const api = new KubernetesApi(server.config);
  onTestFinished(async () => {
    api[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });
  return { api, deleted, objects };
}

const breakOff: Answer = (_request, response) => response.destroy();

test('a namespace whose creation was carried out but not answered is removed again', async () => {
  const { api, deleted } = await serverThat((_path, make) => {
    make();
    return breakOff;
  });
  const names = workloadNames(spec, undefined, 'a1b2');
  const undo = new AsyncDisposableStack();
  await expect(createNamespace(api, names, undo)).rejects.toMatchObject({ kind: 'requirement' });
  await undo.disposeAsync();
  expect(deleted).toEqual([`/api/v1/namespaces/${names.namespace}`]);
});

test('a creation that is carried out only after its connection broke is undone as well', async () => {
  const { api, deleted, objects } = await serverThat((_path, make) => {
    setTimeout(make, 500);
    return breakOff;
  });
  const undo = new AsyncDisposableStack();
  await expect(createNamespace(api, workloadNames(spec, undefined, 'a1b2'), undo)).rejects.toThrow();
  await undo.disposeAsync();
  expect(deleted).toHaveLength(1);
  expect(objects.size).toBe(0);
});

test.each([409, 403])('after an answer of %s nothing is undone: what is there is another one’s', async (status) => {
  const { api, deleted } = await serverThat((_path, make) => {
    make();
    return (_request, response) => {
      refuse(response, status, 'no');
    };
  });
  const undo = new AsyncDisposableStack();
  await expect(createNamespace(api, workloadNames(spec, undefined, 'a1b2'), undo)).rejects.toThrow();
  await undo.disposeAsync();
  expect(deleted).toEqual([]);
});

test.each(['services', 'deployments'])('in a given namespace, unanswered %s are removed again', async (resource) => {
  const { api, deleted, objects } = await serverThat((path, make) => {
    make();
    return path.endsWith(resource) ? breakOff : undefined;
  });
  const names = workloadNames(spec, 'team', 'a1b2');
  const undo = new AsyncDisposableStack();
  await expect(createObjects(api, options, spec, names, undo)).rejects.toThrow();
  await undo.disposeAsync();
  expect(objects.size).toBe(0);
  expect(deleted.every((path) => path.endsWith(names.object))).toBe(true);
  expect(deleted.some((path) => path.includes(resource))).toBe(true);
});
