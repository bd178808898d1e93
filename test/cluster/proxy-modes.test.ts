import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import type { TrialReport } from '../../src/domain/trial.ts';
import { requirePreflight } from '../../src/experiment/preflight.ts';
import { createRunner } from '../../src/process/runner.ts';
import { createKindProvider } from '../../src/providers/kind/provider.ts';
import { parseTrialReport } from '../../src/report/schema.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const folder = mkdtempSync(join(tmpdir(), 'drainwatch-modes-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const lack = lackOf('docker', 'node image', 'kind');
const testbed = process.env.TESTBED_CACHE ?? join(homedir(), '.cache', 'drainwatch-testbed');
const ciliumImage = 'testbed.local/node-cilium:v1.34.0-v1.18.2';
const unless = (isThere: boolean, reason: string) => (isThere ? '' : ` (skipped: ${reason})`);

/**
 * A run of one trial by the built command line. On a busy machine it may be disturbed in every attempt: then the run says
 * so and has status 3, and what it saw of the data plane is in the reports that it keeps apart.
 */
async function runExitNow(name: string, ...args: readonly string[]) {
  const path = join(folder, name);
  const command = ['build/bundle/cli.js', 'run', '--scenarios', 'exit-now', ...args, '-o', path];
  const { exitCode, stdout, stderr } = await execa(process.execPath, command, {
    reject: false,
    stdin: 'ignore',
    env: environment,
  });
  const isDisturbed = /exit-now\S* is discarded: disturbed in each of 3 attempts/.test(stderr);
  expect(exitCode, stderr).toBe(isDisturbed ? 3 : 0);
  const reports = readReports(join(path, isDisturbed ? 'disturbed' : 'trials'));
  expect(reports.length, stderr).toBeGreaterThan(0);
  return { stdout, stderr, reports };
}
const readReports = (path: string): readonly TrialReport[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => parseTrialReport(readFileSync(join(path, file), 'utf8'), file));
const modeCheck = ({ trial }: TrialReport) => trial.preflight.find(({ name }) => name === 'proxy-mode-as-requested');
const detail = (pattern: RegExp) =>
  expect.objectContaining({ status: 'met', detail: expect.stringMatching(pattern) as string }) as unknown;

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

  // a kernel without a list of modules may have them built in
  const mayHaveIpvs = existsSync('/sys/module/ip_vs') || existsSync('/proc/modules');
  test.skipIf(mayHaveIpvs)(
    `a mode that the kernel lacks is skipped with its reason, and the rest runs${unless(!mayHaveIpvs, 'the kernel may have it')}`,
    async () => {
      const modes = ['--matrix', 'quick', '--proxy-modes', 'ipvs,iptables', '--node-image', nodeImage];
      const { stdout, stderr, reports } = await runExitNow('skip', ...modes);
      expect(stderr).toMatch(/^proxy mode ipvs can't run here: kernel \S+ has no ip_vs, ip_vs_rr; load them with/m);
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/skipped, not averaged: .*ipvs: kernel \S+ has no ip_vs/);
      for (const report of reports) {
        expect(report.trial.arm.proxyMode).toBe('iptables');
        expect(modeCheck(report)).toEqual(detail(/worker reports iptables, and has \d+ chains/));
      }
    },
  );

  const hasCilium =
    existsSync(join(testbed, 'cilium', 'crds.yaml')) &&
    spawnSync('docker', ['image', 'inspect', ciliumImage], { stdio: 'ignore' }).status === 0;
  test.skipIf(!hasCilium)(
    `a trial runs where Cilium replaces kube-proxy${unless(hasCilium, `there is no ${ciliumImage}`)}`,
    async () => {
      const manifest = join(folder, 'cilium.yaml');
      // straight into the file: spawnSync cuts off what is longer than 1 MiB, in the midst of a definition
      await execa('test/testbed/cilium/manifest.sh', [ciliumImage], { stdout: { file: manifest } });
      const images = ['--node-image', `cilium=${ciliumImage}`, '--cilium-manifest', manifest];
      const { reports } = await runExitNow('cilium', '--matrix', 'quick', '--proxy-modes', 'cilium', ...images);
      for (const report of reports) {
        expect(report.environment).toMatchObject({ proxyMode: { value: 'cilium' }, cni: { value: 'Cilium v1.18.2' } });
        expect(modeCheck(report)).toEqual(
          detail(/replacement True, and \S+ has no rules of kube-proxy.*replacement True/),
        );
      }
    },
  );

  const hasIpvs = existsSync(join(testbed, 'ipvs', 'out', 'disk'));
  test.skipIf(!hasIpvs)(
    `a trial runs on an existing cluster whose kube-proxy is in IPVS mode${unless(hasIpvs, 'its machine was not built')}`,
    async () => {
      const state = join(folder, 'ipvs-machine');
      const ipvs = (script: string, ...args: readonly string[]) =>
        execa(join('test/testbed/ipvs', script), args, { env: { ...environment, IPVS_STATE: state } });
      try {
        await ipvs('up.sh');
        const { stdout: image } = await execa(process.execPath, ['build/bundle/cli.js', 'probe-image']);
        await ipvs('load-image.sh', image);
        const matrix = ['--matrix', 'test/testbed/ipvs/matrix.yaml', '--proxy-modes', 'ipvs', '--emulated'];
        const brief = ['--settle', '2', '--trailing', '2', '--grace-period', '10'];
        const where = ['--provider', 'kubeconfig', '--kubeconfig', join(state, 'kubeconfig'), '--probe-image', image];
        const { reports } = await runExitNow('ipvs', ...matrix, ...brief, ...where);
        for (const report of reports) {
          expect(report.environment).toMatchObject({ proxyMode: { value: 'ipvs' }, emulated: true });
          expect(modeCheck(report)).toEqual(detail(/reports ipvs/));
          expect(Object.values(report.metrics).filter(({ status }) => status === 'measured')).toEqual([]);
        }
      } finally {
        await ipvs('down.sh');
      }
    },
  );
});
