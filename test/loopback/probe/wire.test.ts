import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startProbe } from './probe-process.ts';
import { dialTcp } from './tcp-client.ts';
import { dialUdp } from './udp-client.ts';

const unreadable = z
  .object({ clientToProbe: z.array(z.object({ line: z.string(), message: z.unknown() })) })
  .parse(JSON.parse(readFileSync('probe/vectors.json', 'utf8')))
  .clientToProbe.flatMap(({ line, message }) => (message === null ? [line] : []));
/** What a stream would carry as exactly one line. */
const unreadableLines = unreadable.filter((line) => /^[^\n]{0,511}\n$/.test(line));

test('a ping over TCP is answered with its sequence, the identity, and a time between asking and hearing', async () => {
  await using probe = await startProbe();
  using client = await dialTcp(probe.started.tcpPort);

  const askedNs = process.hrtime.bigint();
  const [word, sequence, ns, identity, ...more] = (await client.ask(4_294_967_295)).split(' ');
  const heardNs = process.hrtime.bigint();

  expect([word, sequence, identity, more]).toEqual(['pong', '4294967295', probe.started.identity, []]);
  expect(BigInt(ns ?? '')).toBeGreaterThan(askedNs);
  expect(BigInt(ns ?? '')).toBeLessThan(heardNs);
});

test('a ping over UDP is answered to the socket that asked, and to no other', async () => {
  await using probe = await startProbe();
  using one = await dialUdp(probe.started.udpPort);
  using other = await dialUdp(probe.started.udpPort);

  expect(await one.ask(1)).toMatch(new RegExp(`^pong 1 \\d+ ${probe.started.identity}\\n$`));
  expect(await other.ask(2)).toMatch(/^pong 2 /);
  expect([one.datagrams.length, other.datagrams.length]).toEqual([1, 1]);
});

test('over TCP several lines may share a chunk, and chunks a line', async () => {
  await using probe = await startProbe();
  using client = await dialTcp(probe.started.tcpPort);

  client.send('ping 1\nping 2\npi');
  await client.received(2);
  client.send('ng 3');
  await sleep(20);
  client.send('\n');
  await client.received(3);

  expect(client.lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['pong 1', 'pong 2', 'pong 3']);
});

test('a datagram that can not be read gets no answer, and is counted', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  using client = await dialUdp(probe.started.udpPort);

  for (const datagram of unreadable) client.send(datagram);
  expect(await client.ask(1)).toMatch(/^pong 1 /);
  probe.sigterm();

  expect((await probe.logged('exiting')).ignoredLines).toBe(unreadable.length);
  expect(client.datagrams).toHaveLength(1);
});

test('a TCP line that can not be read gets no answer, is counted, and leaves the connection open', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  using client = await dialTcp(probe.started.tcpPort);

  client.socket.write(Buffer.from(unreadableLines.join(''), 'utf8'));
  expect(await client.ask(1)).toMatch(/^pong 1 /);
  probe.sigterm();

  expect(unreadableLines.length).toBeGreaterThan(10);
  expect((await probe.logged('exiting')).ignoredLines).toBe(unreadableLines.length);
  expect(client.lines).toHaveLength(1);
});

test('a TCP line of 512 bytes is ignored, one byte more closes that connection and no other', async () => {
  await using probe = await startProbe();
  using longest = await dialTcp(probe.started.tcpPort);
  using overlong = await dialTcp(probe.started.tcpPort);

  longest.send(`${'x'.repeat(511)}\n`);
  overlong.send(`ping 1\n${'x'.repeat(512)}`);
  await overlong.ended;

  expect(overlong.lines).toHaveLength(1);
  expect(await longest.ask(2)).toMatch(/^pong 2 /);
});

test("one client's reset ends its connection only", async () => {
  await using probe = await startProbe();
  using rude = await dialTcp(probe.started.tcpPort);
  using polite = await dialTcp(probe.started.tcpPort);
  await rude.ask(1);

  rude.send('ping 2\nping 3\n');
  rude.socket.resetAndDestroy();
  await sleep(50);

  expect(await polite.ask(4)).toMatch(/^pong 4 /);
  expect(probe.stderr).toBe('');
});

test('a client that closes its side still gets the answers to what it had asked', async () => {
  await using probe = await startProbe();
  using client = await dialTcp(probe.started.tcpPort);

  client.socket.end('ping 1\nping 2\n');

  expect(await client.ended).toEqual({ by: 'fin' });
  expect(client.lines).toHaveLength(2);
});

test('a client that asks without end and never reads is no longer read, and starves nobody', async () => {
  await using probe = await startProbe();
  using deaf = await dialTcp(probe.started.tcpPort);
  using heard = await dialTcp(probe.started.tcpPort);
  deaf.socket.pause();

  const before = residentMiB(probe.started.pid);
  const chunk = 'ping 1\n'.repeat(9_000);
  for (let sent = 0; sent < 300; sent += 1) deaf.send(chunk);
  await sleep(2000);

  // Answers to all of it are 90 MB; the kernel's buffers hold the rest.
  expect(residentMiB(probe.started.pid) - before).toBeLessThan(50);
  expect(await heard.ask(2)).toMatch(/^pong 2 /);
});

const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
