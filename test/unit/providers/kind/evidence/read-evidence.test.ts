import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evidenceKinds, type RawEvidence } from '../../../../../src/domain/evidence.ts';
import { measured, notMeasured } from '../../../../../src/domain/measured.ts';
import { nodeFiles } from '../../../../../src/providers/kind/evidence/node-files.ts';
import { readEvidence, type Recorded } from '../../../../../src/providers/kind/evidence/read-evidence.ts';
import { wallClockMoments } from '../../../../../src/timeline/wall-clock.ts';

const noOffset = { leastNs: 0n, greatestNs: 0n };
const fixture = (name: string) => `test/fixtures/evidence/${name}`;
const observers = ['conntrack-tcp', 'conntrack-udp', 'packets', 'rules'] as const;
const netlink = 'sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode\n0 12 7 5 0 0 0 2 0 100\n';
const tcpdumpEnd = '9 packets captured\n9 packets received by filter\n0 packets dropped by kernel\n';

/** As kube-proxy v1.34 writes them, by IP family. */
const counts = (uptime: number, syncs: number, seconds: number, deleted: number) => `
node_uptime_seconds ${uptime}
kubeproxy_conntrack_reconciler_deleted_entries_total{ip_family="IPv4"} ${deleted}
kubeproxy_sync_proxy_rules_duration_seconds_sum{ip_family="IPv4"} ${seconds}
kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family="IPv4"} ${syncs}
kubeproxy_sync_proxy_rules_duration_seconds_sum{ip_family="IPv6"} 0.076864612
kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family="IPv6"} 1
`;

let folder: string;
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evidence-test-'));
  // a copy by size would be empty: files of /proc have none
  write('boot-id', readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  write('netlink', netlink);
  for (const observer of observers) {
    write(`${observer}.pid`, '7\n');
    write(`${observer}.cpu`, '1500000 20 3\n');
    write(`${observer}.sockets`, '/dev/null\nsocket:[100]\n');
    write(`${observer}.status`, '0\n');
    write(`${observer}.err`, observer === 'packets' ? tcpdumpEnd : '');
  }
  copyFileSync(fixture('conntrack-reset.xml'), join(folder, 'conntrack-tcp.xml'));
  write('conntrack-udp.xml', '');
  copyFileSync(fixture('packets-exit-now.pcap'), join(folder, 'packets.pcap'));
  copyFileSync(fixture('containerd-ignore-and-drain.log'), join(folder, 'runtime.log'));
  write('runtime.err', '');
  write('kube-proxy-before.prom', counts(100, 302, 23.1, 120));
  write('kube-proxy-after.prom', counts(145, 306, 23.4, 130));
  const drain = readFileSync(fixture('nft-drain-nftables.ndjson'), 'utf8').split('\n');
  const listed = drain.slice(0, 12).map((line) => (JSON.parse(line) as { add: object }).add);
  write('ruleset.json', JSON.stringify({ nftables: listed }));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const namespaceOf = (log: string) => /"namespace":"([^"]+)"/.exec(log)?.[1] ?? '';
const log = readFileSync(fixture('audit-drain-scale.ndjson'), 'utf8');
const read = (change: Partial<Recorded> = {}): Promise<RawEvidence> =>
  readEvidence({
    files: nodeFiles(folder),
    copied: measured(null),
    lines: [],
    log: measured(log),
    site: {
      namespace: namespaceOf(log),
      pod: 'probe',
      podAddress: '10.244.1.6',
      containerId: '00eaa2e68ecb48b9d6a9ca4491f1f422cf72c315f1bb58f46bf3a64c8eafc501',
      node: 'worker',
      endpoint: { address: '172.18.0.2', tcpPort: 30777, udpPort: 30777 },
    },
    kinds: new Set(evidenceKinds),
    clientPorts: new Set([54078, 51198, 39106]),
    moments: wallClockMoments(noOffset, noOffset),
    ...change,
  });
const reasonOf = (piece: RawEvidence[keyof Omit<RawEvidence, 'podAddress'>]) =>
  piece.status === 'not-measured' ? piece.reason : 'it was measured';
const pieces = ['commits', 'runtime', 'conntrack', 'rules', 'kubeProxy', 'packets'] as const;
const measuredIn = (evidence: RawEvidence) => pieces.filter((piece) => evidence[piece].status === 'measured');

test('what all observers brought is measured, with what each program cost in CPU time', async () => {
  const evidence = await read();
  expect(measuredIn(evidence)).toEqual(pieces);
  expect(evidence.costs).toEqual(measured({ conntrack: 3, tcpdump: 1.5, nft: 1.5 }));
});

test.each([
  ['packets', 'packets', 'tcpdump'],
  ['conntrack-udp', 'conntrack', 'conntrack'],
  ['rules', 'rules', 'nft'],
] as const)('a node without the program of %s leaves %s out, and nothing else', async (observer, piece, program) => {
  write(`${observer}.missing`, '');
  const evidence = await read();
  expect(reasonOf(evidence[piece])).toBe(`node worker has no ${program}`);
  expect(measuredIn(evidence)).toEqual(pieces.filter((other) => other !== piece));
});

test('an observer that ended by itself saw less than the trial, and its last complaint says why', async () => {
  write('rules.sockets', '');
  write('rules.status', '1\n');
  write('rules.err', 'Operation not permitted (you must be root)\n');
  const evidence = await read();
  expect(reasonOf(evidence.rules)).toBe(
    'nft ended early on node worker, with status 1: Operation not permitted (you must be root)',
  );
  expect(measuredIn(evidence)).toEqual(['commits', 'runtime', 'conntrack', 'kubeProxy', 'packets']);
});

test('events and packets that the kernel dropped are not passed over', async () => {
  write('netlink', netlink.replace('2 0 100', '2 5 100'));
  write('packets.err', tcpdumpEnd.replace('0 packets dropped', '12 packets dropped'));
  write('packets.sockets', 'socket:[200]\n');
  const evidence = await read();
  expect(reasonOf(evidence.conntrack)).toBe('conntrack on node worker came too late for 5 messages of the kernel');
  expect(reasonOf(evidence.packets)).toBe('tcpdump on node worker came too late for 12 packets');
});

test('a data plane that leaves no trace in netfilter is told of, and its packets are seen all the same', async () => {
  write('conntrack-tcp.xml', '');
  write('ruleset.json', '{"nftables": []}');
  const evidence = await read();
  expect(reasonOf(evidence.conntrack)).toContain('had no entry of the flows');
  expect(reasonOf(evidence.rules)).toContain('no rule of nf_tables on node worker leads to the pod');
  expect(measuredIn(evidence)).toEqual(['commits', 'runtime', 'kubeProxy', 'packets']);
});

test('a node of another kernel has other clocks: nothing of it is placed', async () => {
  write('boot-id', '00000000-0000-0000-0000-000000000000\n');
  const evidence = await read();
  expect(measuredIn(evidence)).toEqual(['commits']);
  expect(reasonOf(evidence.packets)).toContain('another kernel');
});

test('each lack has its own reason: no log, no copy', async () => {
  const evidence = await read({ log: notMeasured('no log'), copied: notMeasured('no copy') });
  expect(
    [evidence.commits, evidence.conntrack, evidence.packets, evidence.rules, evidence.costs].map(reasonOf),
  ).toEqual(['no log', 'no copy', 'no copy', 'no copy', 'no copy']);
});

test('a log without a write of the trial’s namespace shows no commit', async () => {
  const evidence = await read({ log: measured('') });
  expect(evidence.commits.status).toBe('not-measured');
});

test('what was not asked for is not read', async () => {
  const evidence = await read({ kinds: new Set(['commits'] as const) });
  expect(measuredIn(evidence)).toEqual(['commits']);
});

test('the runtime’s log is not measured where the node has none, where it can’t be read, and where it tells nothing', async () => {
  const reason = async () => reasonOf((await read()).runtime);
  write('runtime.err', 'Journal file a.journal is truncated, ignoring file.\n');
  expect(await reason()).toBe('it was measured');
  write('runtime.err', '');
  write('runtime.log', 'time="2026-11-30T09:35:06.970093814Z" level=info msg="StopContainer for \\"another\\""\n');
  expect(await reason()).toBe('the log of containerd on node worker says nothing of the container’s end');
  write('runtime.err', 'a warning\nNo journal files were opened due to insufficient permissions.\n');
  expect(await reason()).toBe(
    "the log of containerd on node worker can't be read: No journal files were opened due to insufficient permissions.",
  );
  write('runtime.missing', '');
  expect(await reason()).toBe('node worker has no journalctl');
});

test('what kube-proxy did is what its counts grew by, and nothing where it did not tell them or began anew', async () => {
  expect((await read()).kubeProxy).toEqual(
    measured({ seconds: 45, syncs: { count: 4, totalMs: expect.closeTo(300, 3) as number }, entriesDeleted: 10 }),
  );
  const reason = async () => reasonOf((await read()).kubeProxy);
  write('kube-proxy-after.prom', counts(145, 2, 0.2, 0));
  expect(await reason()).toMatch(/^the kube-proxy of node worker was started anew in the trial/);
  write('kube-proxy-after.prom', '');
  expect(await reason()).toBe('no kube-proxy tells its metrics at 127.0.0.1:10249 of node worker');
  write('kube-proxy.missing', '');
  expect(await reason()).toBe('node worker has no curl');
});
