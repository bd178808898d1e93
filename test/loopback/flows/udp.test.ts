import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { valueOf } from '../../../src/domain/measured.ts';
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
import { UdpPeer } from './udp-peer.ts';

const notReplying = ({ udpReplying }: { udpReplying: number }) => udpReplying === 0;

test('a refused flow keeps sending, so that another pod on the same address is seen to answer it', async () => {
  await using peer = new UdpPeer(podA);
  const port = await peer.bind();
  await using flows = await openAnswered(specOf({ udp: port }));
  await peer[Symbol.asyncDispose]();
  await flows.allEnded;
  await using other = new UdpPeer(podB);
  await other.bind(port);
  await statusWhere(flows, ({ answeredBy }) => answeredBy.includes(podB));
  const record = await theRecord(flows);
  const end = endOf(record, 'error');
  expect(end.code).toBe('ECONNREFUSED');
  expect(end.atNs).toBeGreaterThan(present(record.lastAnswer).receivedNs);
  expect(present(record.foreignAnswer).receivedNs).toBeGreaterThan(end.atNs);
  expect(record.lastAnswer?.pod).toBe(podA);
  // nothing was lost: the ping after the last answered one is the first that went unserved
  const unservedNs = present(record.unservedSinceNs);
  expect(unservedNs).toBeGreaterThan(present(record.lastAnswer).sentNs);
  expect(unservedNs).toBeLessThanOrEqual(end.atNs);
});

test('a record has the port by which others know the flow', async () => {
  await using peer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ udp: await peer.bind() }));
  expect([(await theRecord(flows)).localPort]).toEqual([...peer.receivedNs.keys()]);
});

test('the first refusal is kept, however many follow', async () => {
  await using peer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ udp: await peer.bind() }));
  const closedNs = process.hrtime.bigint();
  await peer[Symbol.asyncDispose]();
  await flows.allEnded;
  await sleep(600);
  const record = await theRecord(flows);
  expect(msBetween(closedNs, endOf(record, 'error').atNs)).toBeLessThan(300);
  expect(record.sent).toBeGreaterThan(present(record.lastAnswer).sequence + 10);
});

test('an answer of the same identity after an error takes the end back, and the flow counts as living', async () => {
  await using tcpPeer = new TcpPeer(podA);
  await using peer = new UdpPeer(podA);
  const udp = await peer.bind();
  await using flows = await openAnswered(specOf({ tcp: await tcpPeer.listen(), udp }));
  await peer[Symbol.asyncDispose]();
  await statusWhere(flows, notReplying);
  await using again = new UdpPeer(podA);
  await again.bind(udp);
  await statusWhere(flows, ({ udpReplying }) => udpReplying === 1);

  let ended = false;
  void flows.allEnded.then(() => (ended = true));
  tcpPeer.end();
  await statusWhere(flows, ({ tcpEstablished }) => tcpEstablished === 0);
  await sleep(100);
  expect(ended).toBe(false);
  await again[Symbol.asyncDispose]();
  await flows.allEnded;
  const record = present((await flows.finish()).flows.find(({ protocol }) => protocol === 'udp'));
  expect(endOf(record, 'error').atNs).toBeGreaterThan(present(record.lastAnswer).receivedNs);
});

test('an error that was transient leaves no end', async () => {
  await using peer = new UdpPeer(podA);
  const port = await peer.bind();
  await using flows = await openAnswered(specOf({ udp: port }));
  await peer[Symbol.asyncDispose]();
  await statusWhere(flows, notReplying);
  await using again = new UdpPeer(podA);
  await again.bind(port);
  await statusWhere(flows, ({ udpReplying }) => udpReplying === 1);
  expect(await theRecord(flows)).toMatchObject({ end: null, foreignAnswer: null });
});

test('a flow that is refused before it was ever answered is answered later all the same', async () => {
  const port = await (async () => {
    await using peer = new UdpPeer(podA);
    return await peer.bind();
  })();
  await using flows = await openFlows(specOf({ udp: port }));
  const { dialed, firstError } = await statusWhere(flows, (status) => status.firstError !== null);
  expect(dialed).toBe(1);
  expect(firstError).toContain('ECONNREFUSED');
  await using peer = new UdpPeer(podA);
  await peer.bind(port);
  await statusWhere(flows, ({ udpReplying }) => udpReplying === 1);
  expect(await theRecord(flows)).toMatchObject({ firstAnswer: { pod: podA }, end: null });
});

test('silence is dated by the first ping that was not answered, and a later answer of another pod is seen', async () => {
  await using peer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ udp: await peer.bind() }, { udpSilenceMs: 300 }));
  await sleep(200);
  peer.voice.mute = true;
  await flows.allEnded;
  peer.voice.identity = podB;
  peer.voice.mute = false;
  await statusWhere(flows, ({ answeredBy }) => answeredBy.includes(podB));
  const record = await theRecord(flows);
  const { sinceNs, atNs } = endOf(record, 'no-answer');
  const lastSentNs = present(record.lastAnswer).sentNs;
  expect(msBetween(lastSentNs, sinceNs)).toBeGreaterThan(0);
  expect(msBetween(lastSentNs, sinceNs)).toBeLessThan(280);
  expect(msBetween(sinceNs, atNs)).toBeGreaterThanOrEqual(300);
  expect(msBetween(sinceNs, atNs)).toBeLessThan(600);
  expect(present(record.foreignAnswer).receivedNs).toBeGreaterThan(atNs);
});

test('another pod that answers a living flow ends it, and of several the first is kept', async () => {
  await using peer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ udp: await peer.bind() }));
  peer.voice.identity = podB;
  await flows.allEnded;
  peer.voice.identity = 'pod-c/0000000c';
  await sleep(100);
  const record = await theRecord(flows);
  expect(record).toMatchObject({ foreignAnswer: { pod: podB }, end: null, lastAnswer: { pod: podA } });
  expect(record.answered).toBeLessThan(record.sent);
});

test('a bye in a datagram is not of the protocol', async () => {
  await using peer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ udp: await peer.bind() }));
  peer.write(`bye ${process.hrtime.bigint()} ${podA}\n`);
  const { firstError } = await statusWhere(flows, (status) => status.firstError !== null);
  expect(firstError).toContain('bye');
  expect((await theRecord(flows)).announcedNs).toBeNull();
});

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

/** How far each time is from the slots through the median one, in periods: -0.5 to 0.5. */
function offSlot(times: readonly number[], periodMs: number): readonly number[] {
  const slot = median(times);
  return times.map((time) => {
    const periods = (time - slot) / periodMs;
    return periods - Math.round(periods);
  });
}

test('flows keep their interval without drift, each from a port and at a phase of its own', async () => {
  const intervalMs = 20;
  await using peer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ udp: await peer.bind() }, { udp: 10, udpIntervalMs: intervalMs }));
  await sleep(2_000);
  const { sendLatenessMs } = await flows.finish();

  const arrivals = [...peer.receivedNs.values()].map((times) => times.map((ns) => Number(ns) / 1e6));
  expect(arrivals).toHaveLength(10);
  for (const times of arrivals) {
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? NaN));
    expect(median(gaps) / intervalMs).toBeGreaterThan(0.8);
    expect(median(gaps) / intervalMs).toBeLessThan(1.25);
  }
  // a schedule that drifts by its lateness spreads evenly over the period: half of its sends are further off
  const offSlots = arrivals.flatMap((times) => offSlot(times, intervalMs));
  expect(offSlots.filter((periods) => Math.abs(periods) < 0.25).length / offSlots.length).toBeGreaterThan(0.65);
  const phases = arrivals.map((times) => median(times.map((time) => time % intervalMs)));
  expect(Math.max(...phases) - Math.min(...phases)).toBeGreaterThan(intervalMs / 10);
  expect(valueOf(sendLatenessMs)?.p50).toBeLessThan(intervalMs / 4);
});
