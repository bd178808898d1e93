import { expect, onTestFinished, test } from 'vitest';
import { KubernetesApi } from '../../../src/kube/api.ts';
import { workloadNames } from '../../../src/kube/manifests.ts';
import { openServicePaths } from '../../../src/kube/service-paths.ts';
import { refuse, startApiServer } from './api-server.ts';

const spec = { name: 'x', behavior: 'drain', gracePeriodSeconds: 30, drainSeconds: 25 } as const;
const names = workloadNames(spec, undefined, 'a1b2');
const image = { probeImage: 'probe:1', imagePullPolicy: 'Never' } as const;

const ports = [
  { protocol: 'TCP', port: 7000 },
  { protocol: 'UDP', port: 7001 },
];
const service = (more: object = {}) => ({
  metadata: { name: names.object, uid: 'u' },
  spec: { clusterIP: '10.0.0.9', ports },
  ...more,
});

/** Paths to a Service as the API server tells of it, where each client pod is answered with `pod`. */
async function pathsWith(found: object | number, pod: object | number) {
  const server = await startApiServer((request, response, { pathname }) => {
    const answer = pathname.includes('/services/') ? found : pod;
    request.resume().on('end', () => {
      if (typeof answer === 'number') refuse(response, answer, 'not for you');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  const api = new KubernetesApi(server.config);
  onTestFinished(async () => {
    api[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });
  const paths = await openServicePaths(api, image, names, 'node-a', new AbortController().signal);
  return Object.fromEntries(
    paths.map(({ path, endpoint }) => [path, endpoint.status === 'measured' ? endpoint.value : endpoint.reason]),
  );
}

test('a path that no node takes a client for is not measured, and says whose word that is', async () => {
  const message = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
  const unscheduled = {
    metadata: { name: 'client-1', resourceVersion: '1' },
    spec: {},
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message }] },
  };
  expect(await pathsWith(service(), unscheduled)).toEqual({
    'same-node-pod': `no client runs on node node-a: ${message}`,
    'cross-node-pod': `no client runs on a node other than node-a: ${message}`,
    'host-load-balancer': 'the Service has no load balancer address',
  });
});

test('where client pods may not be made, each of their paths says so, and nothing fails', async () => {
  const paths = await pathsWith(service(), 403);
  expect(paths['same-node-pod']).toMatch(/^no client runs on node node-a: .*not for you/);
  expect(paths['cross-node-pod']).toMatch(/^no client runs on a node other than node-a: .*not for you/);
});

test('a load balancer’s address leads to the Service’s ports', async () => {
  const status = { loadBalancer: { ingress: [{ ip: '127.0.0.9' }] } };
  const paths = await pathsWith(service({ status }), 403);
  expect(paths['host-load-balancer']).toEqual({ address: '127.0.0.9', tcpPort: 7000, udpPort: 7001 });
});

test('a Service that may not be read, or has no address, leaves its paths out with the reason', async () => {
  const reason = expect.stringMatching(/^the Service could not be read: .*not for you/) as string;
  expect(await pathsWith(403, 403)).toEqual({
    'same-node-pod': reason,
    'cross-node-pod': reason,
    'host-load-balancer': reason,
  });
  const headless = { ...service(), spec: { clusterIP: 'None', ports } };
  expect(await pathsWith(headless, 403)).toMatchObject({ 'same-node-pod': 'the Service has no cluster address' });
});
