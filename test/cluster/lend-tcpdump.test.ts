import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunner } from '../../src/process/runner.ts';
import { lendTcpdump } from '../../src/providers/kind/evidence/lend-tcpdump.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const succeeds = (file: string, ...args: readonly string[]) => spawnSync(file, args, { stdio: 'ignore' }).status === 0;
const lack =
  lackOf('docker', 'node image') ?? (succeeds('tcpdump', '--version') ? undefined : 'this machine has no tcpdump');

describe.skipIf(lack !== undefined)(titled('a node without tcpdump', lack), () => {
  const node = `drainwatch-tcpdump-test-${process.pid}`;
  const docker = (...args: readonly string[]) => spawnSync('docker', args, { encoding: 'utf8' });
  const runner = createRunner({ log: () => undefined });

  beforeAll(() => {
    const started = docker('run', '--detach', '--name', node, '--entrypoint', 'sleep', nodeImage, '600');
    expect(started.stderr).toBe('');
    docker('exec', node, 'sh', '-c', 'rm -f "$(command -v tcpdump)"; userdel tcpdump');
  });
  afterAll(() => {
    docker('rm', '--force', node);
  });

  test('captures with that of this machine', async () => {
    expect(docker('exec', node, 'sh', '-c', 'command -v tcpdump').status).not.toBe(0);
    await lendTcpdump({ runner, environment }, node, new AbortController().signal);
    const capture = ['timeout', '5', 'tcpdump', '-i', 'any', '-w', '/tmp/packets.pcap', '-U', '-c', '1', 'icmp'];
    const pinged = docker(
      'exec',
      '--privileged',
      node,
      'sh',
      '-c',
      `${capture.join(' ')} & sleep 1; ping -c 1 127.0.0.1 > /dev/null || true; wait`,
    );
    expect(pinged.stderr).toContain('listening on any');
    expect(docker('exec', node, 'stat', '--format', '%s', '/tmp/packets.pcap').stdout).toMatch(/^\d{2,}\n$/);
  });

  test('one that has it keeps its own', async () => {
    const first = docker('exec', node, 'sha256sum', '/usr/local/bin/tcpdump').stdout;
    await lendTcpdump({ runner, environment }, node, new AbortController().signal);
    expect(docker('exec', node, 'sha256sum', '/usr/local/bin/tcpdump').stdout).toBe(first);
    expect(first).not.toBe('');
  });
});
