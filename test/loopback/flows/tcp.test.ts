import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  endOf,
  msBetween,
  openAnswered,
  openFlows,
  podA,
  podB,
  present,
  specOf,
  statusWhere,
  theRecord,
} from './open-flows.ts';
import { TcpPeer } from './tcp-peer.ts';

test('the first ping leaves with the connection, not at the first heartbeat', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }, { tcpHeartbeatMs: 600_000 }));
  const record = await theRecord(flows);
  expect(record).toMatchObject({
    id: 'tcp-1',
    firstAnswer: { pod: podA, sequence: 0 },
    end: null,
    sent: 1,
    answered: 1,
  });
});

test('a record has the port by which others know the flow', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  const ports = [...peer.sockets].map(({ remotePort }) => remotePort);
  expect([(await theRecord(flows)).localPort]).toEqual(ports);
});

test('heartbeats keep their period, and every one of them is answered', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  await sleep(1_000);
  const record = await theRecord(flows);
  expect(record.sent).toBeGreaterThan(12);
  expect(record.sent).toBeLessThan(24);
  expect(record.sent - record.answered).toBeLessThanOrEqual(1);
});

test('a reset is an error of reading', async () => {
  await using peer = new TcpPeer(podA);
  // a heartbeat could meet the reset first
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }, { tcpHeartbeatMs: 60_000 }));
  const resetNs = process.hrtime.bigint();
  peer.reset();
  await flows.allEnded;
  const record = await theRecord(flows);
  const end = endOf(record, 'error');
  expect(end).toMatchObject({ code: 'ECONNRESET', syscall: 'read' });
  expect(end.atNs).toBeGreaterThan(resetNs);
  expect(msBetween(resetNs, end.atNs)).toBeLessThan(1_000);
  expect(record.announcedNs).toBeNull();
});

test('a reset that arrives together with unread data is a reset, not the end of the stream', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openFlows({ ...specOf({ tcp: await peer.listen() }), tcp: 20 });
  await statusWhere(flows, ({ tcpEstablished }) => tcpEstablished === 20);
  peer.write(`pong 0 1 ${podA}\n`.repeat(50));
  peer.reset();
  await flows.allEnded;
  const ends = (await flows.finish()).flows.map(({ end }) => (end?.kind === 'error' ? end.code : end?.kind));
  expect(ends).toEqual(Array.from({ length: 20 }, () => 'ECONNRESET'));
});

test('a FIN that nobody announced has no announcement', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  peer.end();
  await flows.allEnded;
  const record = await theRecord(flows);
  expect(record).toMatchObject({ announcedNs: null, end: { kind: 'fin' } });
});

test('what is written to find a reset behind a FIN is no ping: all that were sent can be answered', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }, { tcpHeartbeatMs: 60_000 }));
  peer.end();
  await flows.allEnded;
  expect(await theRecord(flows)).toMatchObject({ sent: 1, answered: 1, end: { kind: 'fin' } });
});

test('an announced close is the announcement and then the FIN, and the peer sees the client close too', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  peer.end(`bye ${process.hrtime.bigint()} ${podA}\n`);
  await flows.allEnded;
  while (peer.sockets.size > 0) await sleep(5);
  const record = await theRecord(flows);
  expect(present(record.announcedNs)).toBeLessThanOrEqual(endOf(record, 'fin').atNs);
});

test('an announcement is kept when a reset follows it', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  peer.write(`bye ${process.hrtime.bigint()} ${podA}\n`);
  await sleep(50);
  peer.reset();
  await flows.allEnded;
  const record = await theRecord(flows);
  expect(present(record.announcedNs)).toBeLessThan(endOf(record, 'error').atNs);
});

test('a connection without an answer ends at the time-out, dated by its first unanswered ping', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }, { tcpReadTimeoutMs: 400 }));
  await sleep(300);
  peer.voice.mute = true;
  await flows.allEnded;
  while (peer.sockets.size > 0) await sleep(5);
  const record = await theRecord(flows);
  const { sinceNs, atNs } = endOf(record, 'no-answer');
  const { sentNs, sequence } = present(record.lastAnswer);
  expect(sinceNs).toBeGreaterThan(sentNs);
  expect(msBetween(sentNs, sinceNs)).toBeLessThan(200);
  expect(msBetween(sinceNs, atNs)).toBeGreaterThanOrEqual(400);
  expect(msBetween(sinceNs, atNs)).toBeLessThan(800);
  expect(record.sent).toBeGreaterThan(sequence + 2);
});

test('a connection that was never answered ends at the time-out too', async () => {
  await using peer = new TcpPeer(podA);
  peer.voice.mute = true;
  await using flows = await openFlows(specOf({ tcp: await peer.listen() }, { tcpReadTimeoutMs: 200 }));
  await flows.allEnded;
  expect(await theRecord(flows)).toMatchObject({ firstAnswer: null, end: { kind: 'no-answer' }, dialError: null });
});

test('an answer by another identity on a held connection is foreign', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  peer.voice.identity = podB;
  await flows.allEnded;
  const record = await theRecord(flows);
  expect(record).toMatchObject({ lastAnswer: { pod: podA }, foreignAnswer: { pod: podB }, end: null });
});

test('a dial that is refused is recorded, is the status first error, and ends the flow', async () => {
  const closedPort = await (async () => {
    await using peer = new TcpPeer(podA);
    return await peer.listen();
  })();
  await using flows = await openFlows(specOf({ tcp: closedPort }));
  expect(await flows.status()).toEqual({
    dialed: 0,
    tcpEstablished: 0,
    udpReplying: 0,
    answeredBy: [],
    firstError: 'tcp-1: connect ECONNREFUSED',
  });
  await flows.allEnded;
  expect(await theRecord(flows)).toMatchObject({ dialError: 'ECONNREFUSED', end: null, sent: 0 });
});

test('lines that are not of the protocol are ignored, and preflight can tell what they were', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  peer.write('HTTP/1.1 400 Bad Request\r\n');
  const { firstError, tcpEstablished } = await statusWhere(flows, (status) => status.firstError !== null);
  expect(firstError).toContain('HTTP/1.1 400 Bad Request');
  expect(tcpEstablished).toBe(1);
});

test('a line longer than the protocol allows closes the connection', async () => {
  await using peer = new TcpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await peer.listen() }));
  peer.write('x'.repeat(600));
  await flows.allEnded;
  expect(endOf(await theRecord(flows), 'error').code).toBe('EPROTO');
});
