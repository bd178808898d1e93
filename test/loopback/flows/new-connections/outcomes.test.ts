import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { podA, podB } from '../open-flows.ts';
import { portOf, TcpPeer } from '../tcp-peer.ts';
import { UdpPeer } from '../udp-peer.ts';
import { dialFor, dialWhile, kindsOf, namesOf, only, specOf } from './dial-attempts.ts';

/** A TCP server that does that with every connection. */
async function serverThat(treats: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    treats(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server.address()), [Symbol.dispose]: () => void server.close() };
}

/** Ports on which nobody listens. */
async function freePorts() {
  await using tcp = new TcpPeer(podA);
  await using udp = new UdpPeer(podA);
  return { tcp: await tcp.listen(), udp: await udp.bind() };
}

test('an answered attempt names the process that answered, and a change of it shows at the attempt where it happened', async () => {
  await using tcp = new TcpPeer(podA);
  await using udp = new UdpPeer(podA);
  const records = await dialWhile(specOf({ tcp: await tcp.listen(), udp: await udp.bind() }), async () => {
    await sleep(300);
    tcp.voice.identity = udp.voice.identity = podB;
    await sleep(300);
  });
  expect(records.map(({ path, protocol }) => `${path} ${protocol}`)).toEqual(['host-node tcp', 'host-node udp']);
  for (const record of records) {
    const names = namesOf(record).filter((name) => name !== undefined);
    const turn = names.indexOf(`answered ${podB}`);
    expect(turn).toBeGreaterThan(0);
    expect(new Set(names.slice(0, turn))).toEqual(new Set([`answered ${podA}`]));
    expect(new Set(names.slice(turn))).toEqual(new Set([`answered ${podB}`]));
  }
});

test('where nobody listens, every connection and every datagram is refused', async () => {
  const records = await dialFor(specOf(await freePorts()), 300);
  expect(records.map(kindsOf)).toEqual([new Set(['refused']), new Set(['refused'])]);
});

test('a connection that is reset before the answer is told from one that is refused', async () => {
  using server = await serverThat((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const record = only(await dialFor(specOf({ tcp: server.port }), 300));
  expect(kindsOf(record)).toEqual(new Set(['reset']));
});

test('a connection that is closed in order before the answer is told from one that is reset, with or without a bye', async () => {
  using server = await serverThat((socket) => socket.once('data', () => socket.end()));
  using polite = await serverThat((socket) => socket.once('data', () => socket.end(`bye 1 ${podA}\n`)));
  for (const { port } of [server, polite]) {
    expect(kindsOf(only(await dialFor(specOf({ tcp: port }), 300)))).toEqual(new Set(['closed']));
  }
});

test('what is not of the protocol is an error of its own, over TCP and UDP', async () => {
  using server = await serverThat((socket) => socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\n')));
  await using udp = new UdpPeer('not an identity');
  const records = await dialFor(specOf({ tcp: server.port, udp: await udp.bind() }), 300);
  expect(records.map(kindsOf)).toEqual([new Set(['other-error EPROTO']), new Set(['other-error EPROTO'])]);
});

test('an address without a way is unreachable', async () => {
  // a broadcast address takes no connection (connect(2))
  const spec = specOf({ tcp: 7 }, { endpoint: { address: '127.255.255.255', tcpPort: 7, udpPort: 7 } });
  expect(kindsOf(only(await dialFor(spec, 200)))).toEqual(new Set(['unreachable ENETUNREACH']));
});

test('an attempt without an answer is over at its limit, and the next ones start on time meanwhile', async () => {
  await using tcp = new TcpPeer(podA);
  await using udp = new UdpPeer(podA);
  tcp.voice.mute = udp.voice.mute = true;
  const spec = specOf({ tcp: await tcp.listen(), udp: await udp.bind() }, { limitMs: 250 });
  for (const record of await dialFor(spec, 1_000)) {
    expect(kindsOf(record)).toEqual(new Set(['timed-out']));
    const { startedNs, endedNs, outcome } = record.attempts;
    const tookMs = [...startedNs].flatMap((startNs, index) =>
      outcome[index] === 0 ? [] : [Number((endedNs[index] ?? 0n) - startNs) / 1e6],
    );
    expect(Math.min(...tookMs)).toBeGreaterThan(240);
    // far more than one attempt a limit: a dial that hangs does not hold up the next
    expect(startedNs.length).toBeGreaterThan(5 * (1_000 / 250));
    // those that started within the last limit are not known
    const unsettled = namesOf(record).filter((name) => name === undefined).length;
    expect(unsettled).toBeGreaterThan(0);
    expect(unsettled).toBeLessThan(startedNs.length / 2);
  }
});

test('a connection whose SYN nobody answers times out too', async () => {
  const script = `const s=require('net').createServer();s.listen({port:0,host:'127.0.0.1',backlog:1},()=>console.log(s.address().port))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    // it accepts nothing any more: when its queue is full the kernel drops each SYN
    child.kill('SIGSTOP');
    const record = only(await dialFor(specOf({ tcp: Number(port) }), 900));
    expect(kindsOf(record)).toEqual(new Set(['timed-out']));
  } finally {
    child.kill('SIGKILL');
  }
});
