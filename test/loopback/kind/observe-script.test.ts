import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunner } from '../../../src/process/runner.ts';
import { identify, isAlive } from '../../../src/process/process-identity.ts';
import { nodeFiles } from '../../../src/providers/kind/evidence/node-files.ts';
import { observeScript } from '../../../src/providers/kind/evidence/observe-script.ts';
import { observerEnd } from '../../../src/providers/kind/evidence/observer-end.ts';

const runner = createRunner({ log: () => undefined });
let root: string;
const bin = () => join(root, 'bin');
const files = () => join(root, 'files');

/** A node whose programs are these, besides those that any node has. */
function programs(scripts: Readonly<Record<string, string>>): void {
  mkdirSync(bin());
  for (const name of ['sh', 'mkdir', 'cp', 'cat', 'sleep', 'readlink', 'env', 'grep']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(bin(), name));
  }
  for (const [name, script] of Object.entries({ sysctl: 'exit 0', ...scripts })) {
    writeFileSync(join(bin(), name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'observe-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

async function observe(kinds: string, container = '') {
  const lines: string[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const args = [files(), '30001', '30002', '10.244.1.2', kinds, container];
  const observers = runner.start('sh', ['-c', observeScript, 'observe', ...args], {
    env: { PATH: bin() },
    stdin: 'pipe',
    onStdoutLine: (line) => {
      lines.push(line);
      if (line === 'observing') begin();
    },
  });
  await Promise.race([begun, observers.exited]);
  return { observers, lines };
}

/** Ends on SIGTERM, as the real ones do, and writes what it was asked; some are asked for a listing besides. */
const lists = 'case "$*" in *list* | *--dump*) exit 0 ;; esac; ';
const observer = 'trap "exit 0" TERM; echo "$0 $*"; while :; do sleep 0.02; done';

test('the observers run until their input ends, and all of them end then', async () => {
  programs({ conntrack: lists + observer, tcpdump: observer, nft: lists + observer });
  const { observers, lines } = await observe('conntrack packets rules');
  const pids = readdirSync(files())
    .filter((name) => name.endsWith('.pid'))
    .map((name) => identify(Number(readFileSync(join(files(), name), 'utf8'))));
  expect(pids).toHaveLength(4);
  observers.endInput();
  expect(await observers.exited).toEqual({ exitCode: 0, signal: null });
  expect(pids.filter((identity) => identity !== undefined && isAlive(identity))).toEqual([]);
  for (const name of ['conntrack-tcp', 'conntrack-udp', 'packets', 'rules'] as const) {
    expect(await observerEnd(name, nodeFiles(files()), 'worker')).toMatchObject({ status: 'measured' });
  }
  // the monitor's lines come at once, the others' go to files
  expect(lines.filter((line) => line !== 'observing')).toEqual([expect.stringContaining('--json monitor rules')]);
  expect(readFileSync(join(files(), 'conntrack-udp.xml'), 'utf8')).toContain('--proto udp --orig-port-dst 30002');
});

test('a program that the node lacks keeps no other from observing', async () => {
  programs({ conntrack: lists + observer });
  const { observers } = await observe('conntrack packets rules');
  observers.endInput();
  expect(await observers.exited).toEqual({ exitCode: 0, signal: null });
  const end = (name: 'packets' | 'rules' | 'conntrack-tcp') => observerEnd(name, nodeFiles(files()), 'worker');
  expect(await end('packets')).toEqual({ status: 'not-measured', reason: 'node worker has no tcpdump' });
  expect(await end('rules')).toEqual({ status: 'not-measured', reason: 'node worker has no nft' });
  expect(await end('conntrack-tcp')).toMatchObject({ status: 'measured' });
});

test('one that ends by itself is told of with its status and its complaint', async () => {
  programs({ nft: 'echo "not permitted" >&2; exit 3' });
  const { observers } = await observe('rules');
  observers.endInput();
  await observers.exited;
  expect(await observerEnd('rules', nodeFiles(files()), 'worker')).toEqual({
    status: 'not-measured',
    reason: 'nft ended early on node worker, with status 3: not permitted',
  });
});

test('what was not asked for is not started', async () => {
  programs({ conntrack: lists + observer, tcpdump: observer, nft: lists + observer });
  const { observers } = await observe('commits');
  observers.endInput();
  await observers.exited;
  expect(readdirSync(files()).filter((name) => name.endsWith('.pid'))).toEqual([]);
});

test('of the runtime’s log, what was added about the container is kept; of kube-proxy’s counts, those before and after', async () => {
  const journal =
    'case "$*" in *--show-cursor*) echo "-- cursor: s=1;i=2" ;; *) echo "$*"; echo "line of c0ffee" ;; esac';
  const metrics = 'echo "kubeproxy_x_count 3"; echo "kubeproxy_x_bucket 3"; echo "go_threads 9"';
  programs({ journalctl: journal, curl: metrics });
  const { observers } = await observe('runtime kube-proxy', 'c0ffee');
  observers.endInput();
  expect(await observers.exited).toEqual({ exitCode: 0, signal: null });
  const read = (name: string) => readFileSync(join(files(), name), 'utf8');
  expect(read('runtime.log')).toBe('line of c0ffee\n');
  const counts = [read('kube-proxy-before.prom'), read('kube-proxy-after.prom')];
  expect(counts).toEqual(Array(2).fill(expect.stringMatching(/^node_uptime_seconds \d+\.\d+\nkubeproxy_x_count 3\n$/)));
});

test('the runtime’s log is read from where it stood when observing began', async () => {
  const journal = 'case "$*" in *--show-cursor*) echo "-- cursor: s=1;i=2" ;; *) echo "c0ffee: $*" ;; esac';
  programs({ journalctl: journal });
  const { observers } = await observe('runtime', 'c0ffee');
  observers.endInput();
  await observers.exited;
  expect(readFileSync(join(files(), 'runtime.log'), 'utf8')).toContain('--after-cursor s=1;i=2');
});

test('an answer of kube-proxy that was not whole is none', async () => {
  programs({ curl: 'echo "kubeproxy_x_count 3"; exit 28' });
  const { observers } = await observe('kube-proxy');
  observers.endInput();
  await observers.exited;
  expect(readdirSync(files()).filter((name) => name.endsWith('.prom'))).toEqual([]);
});

test('a node without a journal or without curl is told of, and ends as any', async () => {
  programs({});
  const { observers } = await observe('runtime kube-proxy', 'c0ffee');
  observers.endInput();
  expect(await observers.exited).toEqual({ exitCode: 0, signal: null });
  expect(readdirSync(files())).toEqual(expect.arrayContaining(['kube-proxy.missing', 'runtime.missing']));
});
