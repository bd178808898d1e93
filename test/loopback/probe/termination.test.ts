import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startProbe } from './probe-process.ts';
import { type TcpClient, dialTcp } from './tcp-client.ts';
import { dialUdp } from './udp-client.ts';

const statusOf = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
const secondsBetween = (fromNs: bigint, toNs: bigint) => Number(toNs - fromNs) / 1e9;

const allReset = Array.from({ length: 10 }, () => ({ by: 'error', code: 'ECONNRESET' }));

async function dialTen(port: number): Promise<readonly TcpClient[]> {
  const clients = await Promise.all(Array.from({ length: 10 }, () => dialTcp(port)));
  await Promise.all(clients.map((client, index) => client.ask(index)));
  return clients;
}

test('exit-now resets every open connection, announces nothing, and exits with 0', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  const clients = await dialTen(probe.started.tcpPort);

  probe.sigterm();
  const ends = await Promise.all(clients.map((client) => client.ended));

  expect(ends).toEqual(allReset);
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
  expect(probe.events).toEqual(['started', 'sigterm-received', 'exiting']);
  expect(clients.flatMap((client) => client.lines).filter((line) => !line.startsWith('pong '))).toEqual([]);
});

test('exit-now resets connections in the middle of their traffic as well', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  const clients = await dialTen(probe.started.tcpPort);

  const traffic = setInterval(() => {
    for (const client of clients) if (client.socket.writable) client.send('ping 7\nping 8\n');
  }, 1);
  await sleep(50);
  probe.sigterm();
  const ends = await Promise.all(clients.map((client) => client.ended));
  clearInterval(traffic);

  expect(ends).toEqual(allReset);
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
});

test('exit-now with a connection that its client has half closed exits with 0', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  using client = await dialTcp(probe.started.tcpPort, { staysOpen: true });
  client.socket.pause();
  client.socket.end('ping 1\n'.repeat(200_000));
  await sleep(300);

  probe.sigterm();

  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
});

test('drain withdraws readiness, serves old and new clients for its time, announces, closes and exits with 0', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=1.5']);
  const { tcpPort, udpPort, httpPort } = probe.started;
  const clients = await dialTen(tcpPort);
  using datagrams = await dialUdp(udpPort);
  expect(await statusOf(httpPort, '/readyz')).toBe(200);

  probe.sigterm();
  await probe.logged('readiness-withdrawn');
  using late = await dialTcp(tcpPort);
  expect(await statusOf(httpPort, '/readyz')).toBe(503);
  expect(await statusOf(httpPort, '/healthz')).toBe(200);
  for (const client of [...clients, late]) expect(await client.ask(20)).toMatch(/^pong 20 /);
  expect(await datagrams.ask(21)).toMatch(/^pong 21 /);
  expect(probe.events).toEqual(['started', 'sigterm-received', 'readiness-withdrawn']);

  const ends = await Promise.all([...clients, late].map((client) => client.ended));
  expect(ends).toEqual(Array.from({ length: 11 }, () => ({ by: 'fin' })));
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
  expect(probe.events).toEqual(['started', 'sigterm-received', 'readiness-withdrawn', 'close-announced', 'exiting']);

  const announced = await probe.logged('close-announced');
  expect(announced.connections).toBe(11);
  for (const client of [...clients, late]) {
    const [word, ns, identity, ...more] = client.lines.at(-1)?.split(' ') ?? [];
    expect([word, identity, more]).toEqual(['bye', probe.started.identity, []]);
    expect(BigInt(ns ?? '')).toBeGreaterThanOrEqual(announced.monotonicNs);
    expect(client.lines.filter((line) => line.startsWith('bye '))).toHaveLength(1);
  }
});

test('the drain time runs from SIGTERM, and every time in the log is in the order of its lines', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=0.5']);
  const sentNs = process.hrtime.bigint();
  probe.sigterm();
  await probe.ended;

  const times = probe.log.map((line) => line.monotonicNs);
  expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)));
  const received = await probe.logged('sigterm-received');
  const announced = await probe.logged('close-announced');
  expect(received.monotonicNs).toBeGreaterThan(sentNs);
  expect(announced.connections).toBe(0);
  expect(secondsBetween(received.monotonicNs, announced.monotonicNs)).toBeGreaterThan(0.49);
  expect(secondsBetween(received.monotonicNs, announced.monotonicNs)).toBeLessThan(2);
  expect(new Set(probe.log.map((line) => `${line.identity} ${line.bootId}`)).size).toBe(1);
});

test('after bye the probe waits for its peer to close, and exits once it did', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=0']);
  using client = await dialTcp(probe.started.tcpPort, { staysOpen: true });
  await client.ask(1);

  probe.sigterm();
  await client.ended;
  client.send('ping 2\n');
  await sleep(300);
  expect(probe.child.exitCode).toBeNull();
  const closedNs = process.hrtime.bigint();
  client.socket.end();

  await probe.ended;
  const exiting = await probe.logged('exiting');
  expect(exiting.monotonicNs).toBeGreaterThan(closedNs);
  expect(secondsBetween(closedNs, exiting.monotonicNs)).toBeLessThan(0.5);
  expect(client.lines.at(-1)).toMatch(/^bye /);
  expect(client.socket.errored).toBeNull();
});

test('a peer that never closes delays the exit by one second', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=0']);
  using client = await dialTcp(probe.started.tcpPort, { staysOpen: true });
  await client.ask(1);

  probe.sigterm();
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });

  const announced = await probe.logged('close-announced');
  const exiting = await probe.logged('exiting');
  expect(secondsBetween(announced.monotonicNs, exiting.monotonicNs)).toBeGreaterThan(0.99);
  expect(secondsBetween(announced.monotonicNs, exiting.monotonicNs)).toBeLessThan(3);
});

test('while peers close, new connections are refused and UDP is still answered', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=0']);
  using client = await dialTcp(probe.started.tcpPort, { staysOpen: true });
  using datagrams = await dialUdp(probe.started.udpPort);

  probe.sigterm();
  await probe.logged('close-announced');

  await expect(dialTcp(probe.started.tcpPort)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await datagrams.ask(1)).toMatch(/^pong 1 /);
  client.socket.end();
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
});

test('a second SIGTERM during a drain is logged and changes nothing', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=0.8']);
  using client = await dialTcp(probe.started.tcpPort);

  probe.sigterm();
  await probe.logged('sigterm-received');
  await sleep(400);
  probe.sigterm();
  await probe.logged('sigterm-received', 2);
  expect(await client.ask(1)).toMatch(/^pong 1 /);

  expect(await client.ended).toEqual({ by: 'fin' });
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
  expect(probe.events).toEqual([
    'started',
    'sigterm-received',
    'readiness-withdrawn',
    'sigterm-received',
    'close-announced',
    'exiting',
  ]);
  const first = await probe.logged('sigterm-received');
  const announced = await probe.logged('close-announced');
  expect(secondsBetween(first.monotonicNs, announced.monotonicNs)).toBeLessThan(1.2);
});

test('drain-ready drains in the same way and is ready to its end', async () => {
  await using probe = await startProbe(['--behavior=drain-ready', '--drain-seconds=0.6']);
  using client = await dialTcp(probe.started.tcpPort);

  probe.sigterm();
  await probe.logged('sigterm-received');
  expect(await statusOf(probe.started.httpPort, '/readyz')).toBe(200);
  expect(await client.ask(1)).toMatch(/^pong 1 /);

  expect(await client.ended).toEqual({ by: 'fin' });
  expect(client.lines.at(-1)).toMatch(/^bye /);
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
  expect(probe.events).toEqual(['started', 'sigterm-received', 'close-announced', 'exiting']);
});

test('ignore logs each SIGTERM, serves on, and ends by SIGKILL alone', async () => {
  await using probe = await startProbe(['--behavior=ignore', '--drain-seconds=0']);
  using client = await dialTcp(probe.started.tcpPort);
  using datagrams = await dialUdp(probe.started.udpPort);

  for (const nth of [1, 2, 3]) {
    probe.sigterm();
    await probe.logged('sigterm-received', nth);
  }
  await sleep(200);

  expect(await client.ask(1)).toMatch(/^pong 1 /);
  expect(await datagrams.ask(2)).toMatch(/^pong 2 /);
  expect(await statusOf(probe.started.httpPort, '/readyz')).toBe(200);
  probe.child.kill('SIGKILL');
  expect(await probe.ended).toEqual({ exitCode: null, signal: 'SIGKILL' });
  expect(probe.events).toEqual(['started', 'sigterm-received', 'sigterm-received', 'sigterm-received']);
});
