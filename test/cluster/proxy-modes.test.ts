import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import type { TrialReport } from '../../src/domain/trial.ts';
import { requirePreflight } from '../../src/experiment/preflight.ts';
import { createRunner } from '../../src/process/runner.ts';
import { createKindProvider } from '../../src/providers/kind/provider.ts';
import { openRunFolder } from '../../src/report/store.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const folder = mkdtempSync(join(tmpdir(), 'drainwatch-modes-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const lack = lackOf('docker', 'node image', 'kind');
const testbed = process.env.TESTBED_CACHE ?? join(homedir(), '.cache', 'drainwatch-testbed');
const ciliumImage = 'testbed.local/node-cilium:v1.34.0-v1.18.2';

/** A run of the built command line, with the reports of its trials. */
async function run(name: string, ...args: readonly string[]) {
  const path = join(folder, name);
  const command = ['build/bundle/cli.js', 'run', ...args, '-o', path];
  const outcome = await execa(process.execPath, command, { reject: false, stdin: 'ignore', env: environment });
  const reports: TrialReport[] = [];
  if (existsSync(path)) for await (const report of (await openRunFolder(path)).readTrials()) reports.push(report);
  return { exitCode: outcome.exitCode, stdout: outcome.stdout, stderr: outcome.stderr, reports };
}
const modeCheck = ({ trial }: TrialReport) => trial.preflight.find(({ name }) => name === 'proxy-mode-as-requested');

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

  const mayHaveIpvs = existsSync('/sys/module/ip_vs') || existsSync('/proc/modules');
  test.skipIf(mayHaveIpvs)(
    `a mode that the kernel lacks is skipped with its reason, and the rest runs${mayHaveIpvs ? ' (skipped: the kernel may have it)' : ''}`,
    async () => {
      const modes = ['--matrix', 'quick', '--scenarios', 'exit-now', '--proxy-modes', 'ipvs,iptables'];
      const { exitCode, stdout, stderr, reports } = await run('skip', ...modes, '--node-image', nodeImage);
      expect(exitCode, stderr).toBe(0);
      expect(stderr).toMatch(/^proxy mode ipvs can't run here: kernel \S+ has no ip_vs, ip_vs_rr; load them with/m);
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/skipped, not averaged: .*ipvs: kernel \S+ has no ip_vs/);
      expect(reports.map(({ trial }) => trial.arm.proxyMode)).toEqual(['iptables']);
      expect(reports.map(modeCheck)).toEqual([
        expect.objectContaining({
          status: 'met',
          detail: expect.stringMatching(/worker reports iptables, and has \d+ chains/) as string,
        }),
      ]);
    },
  );

  const hasCilium =
    existsSync(join(testbed, 'cilium', 'crds.yaml')) &&
    spawnSync('docker', ['image', 'inspect', ciliumImage], { stdio: 'ignore' }).status === 0;
  test.skipIf(!hasCilium)(
    `a trial runs where Cilium replaces kube-proxy${hasCilium ? '' : ` (skipped: there is no ${ciliumImage})`}`,
    async () => {
      const manifest = join(folder, 'cilium.yaml');
      // more than spawnSync takes
      writeFileSync(manifest, (await execa('test/testbed/cilium/manifest.sh', [ciliumImage])).stdout);
      const modes = ['--matrix', 'quick', '--scenarios', 'exit-now', '--proxy-modes', 'cilium'];
      const images = ['--node-image', `cilium=${ciliumImage}`, '--cilium-manifest', manifest];
      const { exitCode, stderr, reports } = await run('cilium', ...modes, ...images);
      expect(exitCode, stderr).toBe(0);
      const [report] = reports;
      expect(report?.environment).toMatchObject({ proxyMode: { value: 'cilium' }, cni: { value: 'Cilium v1.18.2' } });
      expect(report && modeCheck(report)).toMatchObject({
        status: 'met',
        detail: expect.stringMatching(
          /replacement True, and \S+ has no rules of kube-proxy.*replacement True/,
        ) as string,
      });
    },
  );

  const hasIpvs = existsSync(join(testbed, 'ipvs', 'out', 'disk'));
  test.skipIf(!hasIpvs)(
    `a trial runs on an existing cluster whose kube-proxy is in IPVS mode${hasIpvs ? '' : ' (skipped: its machine was not built)'}`,
    async () => {
      const ipvs = (script: string, ...args: readonly string[]) =>
        execa(join('test/testbed/ipvs', script), args, { env: { ...environment, IPVS_STATE: join(folder, 'ipvs') } });
      try {
        await ipvs('up.sh');
        const { stdout: image } = await execa(process.execPath, ['build/bundle/cli.js', 'probe-image']);
        await ipvs('load-image.sh', image);
        const matrix = ['--matrix', 'quick', '--scenarios', 'exit-now', '--proxy-modes', 'ipvs', '--emulated'];
        const where = ['--provider', 'kubeconfig', '--kubeconfig', join(folder, 'ipvs', 'kubeconfig')];
        const { exitCode, stderr, reports } = await run('ipvs', ...matrix, ...where, '--probe-image', image);
        expect(exitCode, stderr).toBe(0);
        const [report] = reports;
        expect(report?.environment).toMatchObject({ proxyMode: { value: 'ipvs' }, emulated: true });
        expect(Object.values(report?.metrics ?? {}).filter(({ status }) => status === 'measured')).toEqual([]);
      } finally {
        await ipvs('down.sh');
      }
    },
  );
});
