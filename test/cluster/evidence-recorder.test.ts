import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evidenceKinds } from '../../src/domain/evidence.ts';
import { createRunner } from '../../src/process/runner.ts';
import { createEvidenceRecorder } from '../../src/providers/kind/evidence/recorder.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const lack = lackOf('docker', 'node image');
const kinds = new Set(evidenceKinds);
const observers = /conntrack|tcpdump|nft/;

describe.skipIf(lack !== undefined)(titled('a recorder on a node', lack), () => {
  // a node without a cluster: what the observers find to observe is not this test's matter
  const node = `drainwatch-recorder-test-${process.pid}`;
  const docker = (...args: readonly string[]) => spawnSync('docker', args, { encoding: 'utf8' });
  const recorder = createEvidenceRecorder({ runner: createRunner({ log: () => undefined }), environment }, node);
  const site = {
    namespace: 'trial',
    pod: 'probe',
    podAddress: '10.244.1.2',
    node,
    containerId: null,
    endpoint: { address: '172.18.0.2', tcpPort: 30_777, udpPort: 30_777 },
  };
  const running = () =>
    docker('exec', node, 'ps', '-e', '-o', 'comm=')
      .stdout.split('\n')
      .filter((name) => observers.test(name));
  const kept = () => docker('exec', node, 'ls', '/var/log/drainwatch-evidence').stdout.trim();

  beforeAll(() => {
    const args = ['run', '--detach', '--privileged', '--name', node, '--entrypoint', 'sleep', nodeImage, '600'];
    expect(docker(...args).stderr).toBe('');
  });
  afterAll(() => {
    docker('rm', '--force', '--volumes', node);
  });

  test('observes until it is finished, and tells of each piece that there was none of', async () => {
    const { signal } = new AbortController();
    await using recording = await recorder.record(site, kinds, signal);
    expect(running().toSorted()).toEqual(['conntrack', 'conntrack', 'nft', 'tcpdump']);
    const { packets, costs, ...others } = await recording.finish(new Set([40_000]), signal);
    expect(running()).toEqual([]);
    const { commits, runtime, conntrack, rules, kubeProxy } = others;
    expect([commits, runtime, conntrack, rules, kubeProxy].map(({ status }) => status)).toEqual(
      Array(5).fill('not-measured'),
    );
    // a capture without a packet is a capture
    expect(packets).toEqual({ status: 'measured', value: [] });
    expect(costs).toMatchObject({ status: 'measured', value: { tcpdump: expect.any(Number) as number } });

    const folder = await mkdtemp(join(tmpdir(), 'recorder-test-'));
    await recording.keep(join(folder, 'kept'));
    expect(await readdir(join(folder, 'kept'))).toEqual(expect.arrayContaining(['packets.pcap', 'ruleset.json']));
    await rm(folder, { recursive: true });
    await recording[Symbol.asyncDispose]();
    expect(kept()).toBe('');
  });

  test('an abort leaves neither a program nor a file on the node', async () => {
    const aborting = new AbortController();
    {
      await using recording = await recorder.record(site, kinds, aborting.signal);
      expect(recording).toBeDefined();
      expect(running()).not.toEqual([]);
      expect(kept()).not.toBe('');
      aborting.abort();
    }
    // the end of their input is what ends them, and docker passes that on in its own time
    await expect.poll(running, { timeout: 20_000 }).toEqual([]);
    expect(kept()).toBe('');
  });

  test('observers of two trials on one node end each by themselves', async () => {
    const { signal } = new AbortController();
    await using one = await recorder.record(site, kinds, signal);
    await using other = await recorder.record({ ...site, namespace: 'other' }, kinds, signal);
    expect(running()).toHaveLength(8);
    await one.finish(new Set(), signal);
    expect(running()).toHaveLength(4);
    await other.finish(new Set(), signal);
    expect(running()).toEqual([]);
  });

  test('a node that is not there costs the evidence, and each piece says so', async () => {
    const { signal } = new AbortController();
    await using recording = await recorder.record({ ...site, node: 'no-such-node' }, kinds, signal);
    const { packets, conntrack, rules } = await recording.finish(new Set(), signal);
    for (const piece of [packets, conntrack, rules]) {
      expect(piece).toMatchObject({
        status: 'not-measured',
        reason: expect.stringContaining('no-such-node') as string,
      });
    }
  });
});
