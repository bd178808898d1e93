/* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment --
   client-node's models are classes without behaviour; literals are how its own examples make them */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import type { Cluster } from '../../src/domain/cluster.ts';
import type { EventName, RawEvent } from '../../src/domain/event.ts';
import { podOf } from '../../src/domain/event.ts';
import { measured, notMeasured } from '../../src/domain/measured.ts';
import type { Termination } from '../../src/domain/trigger.ts';
import type { WorkloadSpec } from '../../src/domain/workload.ts';
import { namespaceManifest, ownSelector, workloadNames } from '../../src/kube/manifests.ts';
import { ownerKey } from '../../src/kube/owner.ts';
import { createKubeconfigProvider } from '../../src/providers/kubeconfig/provider.ts';
import { KubernetesApi } from '../../src/kube/api.ts';
import { type KubernetesClusterOptions, openKubernetesCluster } from '../../src/kube/kubernetes-cluster.ts';
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts';
import { lackOf, titled } from './prerequisites.ts';

const kubeconfigPath = process.env.DRAINWATCH_TEST_KUBECONFIG ?? '';
const probeImage = process.env.DRAINWATCH_TEST_PROBE_IMAGE ?? '';
const lack = lackOf('existing cluster');

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'drainwatch-cluster-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const open = (change: Partial<KubernetesClusterOptions> = {}): Promise<Cluster> =>
  openKubernetesCluster(
    {
      kubeconfigPath,
      provider: 'kubeconfig',
      name: 'test',
      probeImage,
      imagePullPolicy: 'IfNotPresent',
      tool: { version: '0', commit: 'none', dirty: false },
      nodeImage: notMeasured('not told'),
      hostTools: notMeasured('not told'),
      onDispose: () => Promise.resolve(),
      notice: () => undefined,
      ...change,
    },
    signal,
  );

let count = 0;
const specOf = (change: Partial<WorkloadSpec> = {}): WorkloadSpec => ({
  name: `test-${process.pid}-${count++}`,
  behavior: 'drain',
  gracePeriodSeconds: 8,
  drainSeconds: 3,
  ...change,
});

/** What is in the cluster of workloads of this specification: names of namespaces. */
async function namespacesOf({ name }: WorkloadSpec): Promise<readonly string[]> {
  using api = new KubernetesApi(loadKubeconfig({ kubeconfigPath }));
  const { items } = await api.once('list', (options) => api.core.listNamespace({}, options), signal);
  return items.flatMap(({ metadata }) => metadata?.name ?? []).filter((each) => each.startsWith(`drainwatch-${name}-`));
}

async function namespaceExists(name: string): Promise<boolean> {
  using api = new KubernetesApi(loadKubeconfig({ kubeconfigPath }));
  const { items } = await api.once('list', (options) => api.core.listNamespace({}, options), signal);
  return items.some(({ metadata }) => metadata?.name === name);
}

interface Trial {
  readonly behavior: WorkloadSpec['behavior'];
  readonly fire: keyof Termination;
  readonly exitCode: number;
  readonly probe: readonly EventName[];
}
const trials: readonly Trial[] = [
  { behavior: 'exit-now', fire: 'deletePod', exitCode: 0, probe: ['sigterm-received', 'probe-exiting'] },
  { behavior: 'ignore', fire: 'deletePod', exitCode: 137, probe: ['sigterm-received'] },
  ...(['deletePod', 'evictPod', 'scaleToZero'] as const).map((fire) => ({
    behavior: 'drain' as const,
    fire,
    exitCode: 0,
    probe: ['sigterm-received', 'readiness-withdrawn', 'close-announced', 'probe-exiting'] as const,
  })),
];

describe.skipIf(lack !== undefined)(titled('an existing cluster', lack), () => {
  test.each(trials)('$behavior ended by $fire tells its whole story, and leaves nothing', async (trial) => {
    const { behavior, fire, exitCode, probe } = trial;
    await using cluster = await open();
    const events: RawEvent[] = [];
    const spec = specOf({ behavior });
    {
      await using workload = await cluster.deploy(spec, (event) => events.push(event), signal);
      const { pod } = workload;
      const own = () => events.filter((event) => podOf(event) === pod);
      expect(
        own()
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(['endpoint-ready', 'pod-ready']);
      expect(await namespacesOf(spec)).toHaveLength(1);
      expect(workload.identity.startsWith(`${pod}/`)).toBe(true);
      expect((await workload.preflight(signal)).map(({ name, status }) => `${name}: ${status}`)).toEqual([
        'probe-pod-ready: met',
        'k8s-watches-delivering: met',
        'service-endpoint-ready: met',
        'proxy-mode-as-requested: not-applicable',
        'probe-behavior-as-requested: met',
      ]);
      await workload.termination[fire](signal);
      await workload.gone;

      expect(own().flatMap(({ name, source }) => (source === 'probe' ? name : []))).toEqual(probe);
      const told = own().filter(({ source }) => source === 'kubernetes');
      expect(told.find(({ name }) => name === 'container-terminated')?.payload).toMatchObject({ pod, exitCode });
      const first = (name: EventName) => told.findIndex((event) => event.name === name);
      expect(first('endpoint-not-ready')).toBeGreaterThan(first('endpoint-ready'));
      expect(first('endpoint-removed')).toBeGreaterThan(first('endpoint-not-ready'));
      expect(first('pod-deleted')).toBeGreaterThan(first('pod-terminating'));
      expect(told.every(({ stamp }) => stamp === 'at-receipt')).toBe(true);
      expect(events.filter(({ name }) => name === 'watch-interrupted')).toEqual([]);
      const replaced = events.some((event) => event.name === 'pod-ready' && event.payload.pod !== pod);
      if (fire === 'scaleToZero') expect(replaced).toBe(false);
    }
    expect(await namespacesOf(spec)).toEqual([]);
  });

  test('the running cluster says what it is, and after a deployment which image ran', async () => {
    await using cluster = await open();
    const before = await cluster.environment(signal);
    expect(before.kubernetesVersion).toMatchObject({
      status: 'measured',
      value: expect.stringMatching(/^v1\./) as string,
    });
    expect(before.nodes.length).toBeGreaterThan(0);
    expect(before.probeImage.status).toBe('not-measured');
    // whatever the mode is, preflight must find it again
    const { proxyMode } = before;
    const requestedProxyMode = proxyMode.status === 'measured' ? proxyMode.value : 'iptables';
    await using asked = await open({ requestedProxyMode });
    await using workload = await asked.deploy(specOf({ drainSeconds: 0 }), () => undefined, signal);
    const preflight = await workload.preflight(signal);
    const expected = proxyMode.status === 'measured' ? 'met' : 'unverifiable';
    expect(preflight.find(({ name }) => name === 'proxy-mode-as-requested')?.status).toBe(expected);
    const after = await asked.environment(signal);
    expect(after.probeImage).toEqual(measured(expect.stringContaining('sha256:')));
    expect(after.path).toContain(workload.endpoint.address);
  });

  test('an image that is not on the node fails the deployment at once, and leaves nothing', async () => {
    await using cluster = await open({ probeImage: 'drainwatch.invalid/none:1', imagePullPolicy: 'Never' });
    const spec = specOf();
    const started = performance.now();
    await expect(cluster.deploy(spec, () => undefined, signal)).rejects.toMatchObject({
      kind: 'requirement',
      facts: { found: expect.stringContaining('ErrImageNeverPull') as string },
    });
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(await namespacesOf(spec)).toEqual([]);
  });

  test('a node port that is taken is an input error, and the workload that has it keeps it', async () => {
    const nodePort = 31987;
    await using cluster = await open({ nodePort });
    await using first = await cluster.deploy(specOf({ drainSeconds: 0 }), () => undefined, signal);
    expect([first.endpoint.tcpPort, first.endpoint.udpPort]).toEqual([nodePort, nodePort]);
    await expect(cluster.deploy(specOf(), () => undefined, signal)).rejects.toMatchObject({
      kind: 'input',
      facts: { expected: expect.stringContaining(`${nodePort}`) as string },
    });
    expect((await first.preflight(signal)).map(({ status }) => status)).not.toContain('unmet');
  });

  test('a namespace whose quota takes no pod is an unmet requirement, and keeps its other objects', async () => {
    using api = new KubernetesApi(loadKubeconfig({ kubeconfigPath }));
    const namespace = `drainwatch-quota-${process.pid}`;
    await api.once(
      'create',
      (options) => api.core.createNamespace({ body: { metadata: { name: namespace } } }, options),
      signal,
    );
    try {
      const quota = { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } };
      await api.once(
        'create',
        (options) => api.core.createNamespacedResourceQuota({ namespace, body: quota }, options),
        signal,
      );
      await using cluster = await open({ namespace });
      await expect(cluster.deploy(specOf(), () => undefined, signal)).rejects.toMatchObject({
        kind: 'requirement',
        facts: { found: expect.stringContaining('exceeded quota') as string },
      });
      const { items } = await api.once(
        'list',
        (options) => api.core.listNamespacedService({ namespace }, options),
        signal,
      );
      expect(items).toEqual([]);
      expect(await namespaceExists(namespace)).toBe(true);
    } finally {
      await api.once('delete', (options) => api.core.deleteNamespace({ name: namespace }, options), signal);
    }
  });

  test('in a given namespace the workload removes its own objects, and the namespace stays', async () => {
    using api = new KubernetesApi(loadKubeconfig({ kubeconfigPath }));
    const namespace = 'default';
    const spec = specOf();
    await using cluster = await open({ namespace });
    {
      await using workload = await cluster.deploy(spec, () => undefined, signal);
      expect((await workload.preflight(signal)).map(({ status }) => status)).not.toContain('unmet');
    }
    const labelSelector = ownSelector;
    const pods = await api.once(
      'list',
      (options) => api.core.listNamespacedPod({ namespace, labelSelector }, options),
      signal,
    );
    expect(pods.items).toEqual([]);
    expect(await namespaceExists(namespace)).toBe(true);
  });

  test('a deployment that is aborted leaves nothing', async () => {
    await using cluster = await open();
    const spec = specOf();
    const abort = new AbortController();
    setTimeout(() => {
      abort.abort(new Error('enough'));
    }, 700);
    await expect(cluster.deploy(spec, () => undefined, abort.signal)).rejects.toThrow('enough');
    expect(await namespacesOf(spec)).toEqual([]);
  });

  test('what a killed run left goes when the next one opens the cluster, what a living one has stays', async () => {
    using api = new KubernetesApi(loadKubeconfig({ kubeconfigPath }));
    const [namespace = ''] = await Promise.all(
      ['dead', 'living'].map(async (fate) => {
        const body = namespaceManifest(workloadNames(specOf(), undefined, fate));
        const text = body.metadata?.annotations?.[ownerKey] ?? '{}';
        const owner = z.looseObject({}).parse(JSON.parse(text));
        const annotations = { [ownerKey]: JSON.stringify(fate === 'dead' ? { ...owner, startTicks: '1' } : owner) };
        if (body.metadata !== undefined) body.metadata.annotations = annotations;
        await api.once('create', (options) => api.core.createNamespace({ body }, options), signal);
        return body.metadata?.name ?? '';
      }),
    );
    const left = namespace.replace(/-\d+-dead$/, '');
    const notices: string[] = [];
    const tool = { version: '0', commit: 'none', dirty: false };
    const provider = createKubeconfigProvider({
      kubeconfigPath,
      probeImage,
      tool,
      notice: (text) => void notices.push(text),
    });
    await using cluster = await provider.open({ name: 'next', workers: 1 }, signal);
    expect(cluster.name).toBe('next');
    const { items } = await api.once('list', (options) => api.core.listNamespace({}, options), signal);
    const names = items.flatMap(({ metadata }) => metadata?.name ?? []).filter((name) => name.startsWith(left));
    expect(names).toEqual([expect.stringMatching(/-living$/)]);
    expect(notices).toEqual([expect.stringContaining(namespace)]);
    for (const name of names) {
      await api.once('delete', (options) => api.core.deleteNamespace({ name }, options), signal);
    }
  });

  test("a kubeconfig with another cluster's certificate authority is an unmet requirement", async () => {
    const looseForm = z.looseObject({ clusters: z.array(z.looseObject({ cluster: z.looseObject({}) })) });
    const config = looseForm.parse(parse(readFileSync(kubeconfigPath, 'utf8')));
    for (const { cluster } of config.clusters) {
      cluster['certificate-authority-data'] = Buffer.from(rootCertificates[0] ?? '').toString('base64');
    }
    const foreign = join(folder, 'foreign.yaml');
    writeFileSync(foreign, stringify(config));
    await expect(open({ kubeconfigPath: foreign })).rejects.toMatchObject({
      kind: 'requirement',
      facts: { remedy: 'use a kubeconfig that belongs to this cluster' },
    });
  });
});
