import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requirePreflight } from '../../src/experiment/preflight.ts';
import { createRunner } from '../../src/process/runner.ts';
import { createKindProvider } from '../../src/providers/kind/provider.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const folder = mkdtempSync(join(tmpdir(), 'drainwatch-modes-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const lack = lackOf('docker', 'node image', 'kind');
describe.skipIf(lack !== undefined)(titled('proxy modes on kind', lack), () => {
  test('a kube-proxy that was set to another mode and restarted aborts the trial at preflight', async () => {
    const { signal } = new AbortController();
    const provider = createKindProvider({
      runner: createRunner({ log: () => undefined }),
      tool: { version: '0.0.0', commit: 'test', dirty: true },
      probeBundle: 'build/bundle/probe.js',
      stateFolder: join(folder, 'state'),
      cacheFolder: join(folder, 'cache'),
      environment,
      notice: () => undefined,
    });
    await using cluster = await provider.open({ name: 'modes', workers: 1, nodeImage, proxyMode: 'nftables' }, signal);
    const preflight = async (name: string) => {
      const spec = { name, behavior: 'exit-now', gracePeriodSeconds: 30, drainSeconds: 25 } as const;
      await using workload = await cluster.deploy(spec, () => undefined, signal);
      return await workload.preflight(signal);
    };
    const before = await preflight('before');
    expect(() => {
      requirePreflight(before);
    }).not.toThrow();

    const script = [
      'export KUBECONFIG=/etc/kubernetes/admin.conf',
      'set -e',
      'kubectl -n kube-system get configmap kube-proxy -o json | sed "s/mode: nftables/mode: iptables/" | kubectl apply -f -',
      'kubectl -n kube-system rollout restart daemonset/kube-proxy',
      'kubectl -n kube-system rollout status daemonset/kube-proxy --timeout=120s',
    ].join('\n');
    const edited = spawnSync('docker', ['exec', `${cluster.name}-control-plane`, 'sh', '-c', script], {
      encoding: 'utf8',
    });
    expect(edited.status, edited.stderr).toBe(0);

    const after = await preflight('after');
    expect(() => {
      requirePreflight(after);
    }).toThrow(/proxy-mode-as-requested is unmet \(kube-proxy on .* reports iptables; asked for nftables/);
  });
});
