import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createRunner } from '../../src/process/runner.ts';
import { buildProbeImage } from '../../src/providers/kind/probe-image.ts';
import { environment, lackOf, nodeImage } from './prerequisites.ts';

const config = {
  kind: 'Cluster',
  apiVersion: 'kind.x-k8s.io/v1alpha4',
  nodes: [{ role: 'control-plane' }, { role: 'worker' }],
};

/** Gives the tests of provider kubeconfig a cluster that exists already, where one can be made; they skip elsewhere. */
export default async function existingCluster(): Promise<(() => void) | undefined> {
  if (process.env.DRAINWATCH_TEST_KUBECONFIG !== undefined) return undefined;
  if (lackOf('docker', 'node image', 'kind') !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'drainwatch-existing-'));
  const name = `drainwatch-tests-${process.pid}`;
  const kubeconfig = join(folder, 'kubeconfig');
  const remove = () => {
    spawnSync('kind', ['delete', 'cluster', '--name', name], { env: environment, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const signal = AbortSignal.timeout(300_000);
    const runner = createRunner({ log: () => undefined });
    writeFileSync(join(folder, 'kind.yaml'), stringify(config));
    const create = [
      'create',
      'cluster',
      '--name',
      name,
      '--image',
      nodeImage,
      '--kubeconfig',
      kubeconfig,
      '--wait',
      '120s',
    ];
    await runner.run('kind', [...create, '--config', join(folder, 'kind.yaml')], { signal, env: environment });
    const { reference } = await buildProbeImage({ runner, probeBundle: 'build/bundle/probe.js' }, signal);
    await runner.run('kind', ['load', 'docker-image', reference, '--name', name], { signal, env: environment });
    process.env.DRAINWATCH_TEST_KUBECONFIG = kubeconfig;
    process.env.DRAINWATCH_TEST_PROBE_IMAGE = reference;
    return remove;
  } catch (error) {
    remove();
    throw error;
  }
}
