import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { notMeasured } from '../../../src/domain/measured.ts';
import { openKubernetesCluster } from '../../../src/kube/kubernetes-cluster.ts';
import { createKubeconfigProvider } from '../../../src/providers/kubeconfig/provider.ts';
import { refuse, startApiServer } from './api-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'drainwatch-unreachable-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const signal = new AbortController().signal;
const tool = { version: '0', commit: 'none', dirty: false };

function kubeconfigOf(server: string): string {
  const path = join(folder, `${server.replaceAll(/\W/g, '-')}.json`);
  const content = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: 'stale' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const open = (server: string, namespace?: string) =>
  openKubernetesCluster(
    {
      kubeconfigPath: kubeconfigOf(server),
      provider: 'kubeconfig',
      name: 'x',
      probeImage: 'probe:1',
      imagePullPolicy: 'Never',
      tool,
      nodeImage: notMeasured('no cluster'),
      hostTools: notMeasured('no cluster'),
      onDispose: () => Promise.resolve(),
      notice: () => undefined,
      ...(namespace === undefined ? {} : { namespace }),
    },
    signal,
  );

/** A port that nothing listens on: taken, then given back. */
async function closedPort(): Promise<number> {
  await using server = await startApiServer(() => undefined);
  return server.port;
}

test('a cluster that is gone is an unmet requirement, told at once', async () => {
  const started = performance.now();
  const error = { kind: 'requirement', facts: { found: expect.stringContaining('ECONNREFUSED') as string } };
  await expect(open(`https://127.0.0.1:${await closedPort()}`)).rejects.toMatchObject(error);
  expect(performance.now() - started).toBeLessThan(5000);
});

test('a server that speaks no TLS is an unmet requirement', async () => {
  await using server = await startApiServer((_request, response) => response.end());
  await expect(open(`https://127.0.0.1:${server.port}`)).rejects.toMatchObject({ kind: 'requirement' });
});

test('credentials that are refused are an unmet requirement that says to renew them', async () => {
  await using server = await startApiServer((_request, response) => {
    refuse(response, 401, 'Unauthorized');
  });
  const facts = { remedy: 'renew the credentials' };
  await expect(open(`http://127.0.0.1:${server.port}`)).rejects.toMatchObject({ kind: 'requirement', facts });
});

test('a namespace that does not exist is an input error before anything is deployed', async () => {
  await using server = await startApiServer((_request, response, { pathname }) => {
    if (pathname.startsWith('/version')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ gitVersion: 'v1.34.0' }));
    } else {
      refuse(response, 404, 'namespaces "nowhere" not found');
    }
  });
  const address = `http://127.0.0.1:${server.port}`;
  await expect(open(address, 'nowhere')).rejects.toMatchObject({ kind: 'input' });
  const cluster = await open(address);
  await cluster[Symbol.asyncDispose]();
});

test('the provider says what is missing, and where the cluster is when nothing is', async () => {
  await using server = await startApiServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ gitVersion: 'v1.34.0' }));
  });
  const options = { kubeconfigPath: kubeconfigOf(`http://127.0.0.1:${server.port}`), tool, notice: () => undefined };
  const without = await createKubeconfigProvider(options).availability(signal);
  expect(without).toMatchObject({ available: false, reason: 'no probe image was given' });
  const provider = createKubeconfigProvider({ ...options, probeImage: 'probe:1' });
  expect(await provider.availability(signal)).toEqual({
    available: true,
    detail: `Kubernetes v1.34.0 at http://127.0.0.1:${server.port}`,
  });
  await expect(provider.open({ name: 'x', workers: 1, nodeImage: 'node:1' }, signal)).rejects.toMatchObject({
    kind: 'input',
  });
  await expect(provider.open({ name: 'x', workers: 1, kubernetesVersion: '1.33' }, signal)).rejects.toMatchObject({
    kind: 'requirement',
  });
});
