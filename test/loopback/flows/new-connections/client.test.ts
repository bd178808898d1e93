import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startProbe } from '../../probe/probe-process.ts';
import { podA } from '../open-flows.ts';
import { TcpPeer } from '../tcp-peer.ts';
import { UdpPeer } from '../udp-peer.ts';
import { dialFor, dialWhile, kindsOf, namesOf, only, openDialing, specOf } from './dial-attempts.ts';

const threads = 'test/loopback/flows/threads';
const timeWait = '06';

/** Ports of this machine's IPv4 TCP sockets in TIME-WAIT, local and remote (proc(5), /proc/net/tcp). */
function timeWaitPorts(): readonly number[] {
  const [, ...lines] = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const [, local, remote, state] = line.trim().split(/\s+/);
    if (state !== timeWait) return [];
    return [local, remote].map((address) => parseInt(address?.split(':')[1] ?? '', 16));
  });
}

test('a real probe is answered on both protocols, refused once it is gone, and no connection stays behind', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  const { tcpPort, udpPort, identity } = probe.started;
  let sigtermNs = 0n;
  const records = await dialWhile(specOf({ tcp: tcpPort, udp: udpPort }), async () => {
    await sleep(400);
    probe.sigterm();
    sigtermNs = (await probe.logged('sigterm-received')).monotonicNs;
    await probe.ended;
    await sleep(400);
  });
  for (const record of records) {
    const names = namesOf(record).filter((name) => name !== undefined);
    const firstFailed = names.findIndex((name) => name !== `answered ${identity}`);
    expect(firstFailed).toBeGreaterThan(0);
    expect(names.at(-1)).toBe('refused');
    expect(record.attempts.endedNs[firstFailed]).toBeGreaterThan(sigtermNs);
    // attempts that met the end are reset, or their datagram died with the socket; what starts later is refused
    const firstRefused = names.indexOf('refused');
    expect(names.slice(firstFailed, firstRefused).filter((name) => name.startsWith('answered'))).toEqual([]);
    expect(new Set(names.slice(firstRefused))).toEqual(new Set(['refused']));
  }
  expect(timeWaitPorts()).not.toContain(tcpPort);
});

test('each datagram leaves from a port that no earlier one had', async () => {
  await using udp = new UdpPeer(podA);
  const record = only(await dialFor(specOf({ udp: await udp.bind() }), 500));
  expect(record.attempts.startedNs.length).toBeGreaterThan(10);
  expect([...udp.receivedNs.values()].every((times) => times.length === 1)).toBe(true);
});

test('attempts start on the schedule, late by little, and never early', async () => {
  await using tcp = new TcpPeer(podA);
  const intervalMs = 10;
  const { attempts } = only(await dialFor(specOf({ tcp: await tcp.listen() }, { intervalMs }), 2_000));
  const starts = [...attempts.startedNs].map((ns) => Number(ns - (attempts.startedNs[0] ?? 0n)) / 1e6);
  const gaps = starts.slice(1).map((ms, index) => ms - (starts[index] ?? NaN));
  const median = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
  expect(median).toBeGreaterThan(0.8 * intervalMs);
  expect(median).toBeLessThan(1.5 * intervalMs);
  // slots that were missed stay empty: no burst makes up for them
  expect(starts.length).toBeLessThanOrEqual((starts.at(-1) ?? 0) / intervalMs + 2);
});

test('a thread that dies costs the measurement, with its reason, and nothing else', async () => {
  for (const file of [`${threads}/exits-at-start.mjs`, `${threads}/does-not-exist.mjs`]) {
    await using dialing = await openDialing(specOf({ tcp: 1 }), file);
    await sleep(300);
    expect(await dialing.finish()).toEqual({
      status: 'not-measured',
      reason: expect.stringMatching(
        /^the thread that dials ended before it was asked to: .*(exit code 7|find module)/,
      ) as string,
    });
  }
});

test('finishing gives the same again, and nothing is dialled after it; an abort before the opening opens nothing', async () => {
  await using tcp = new TcpPeer(podA);
  const spec = specOf({ tcp: await tcp.listen() });
  await using dialing = await openDialing(spec);
  await sleep(200);
  const seen = await dialing.finish();
  expect(await dialing.finish()).toBe(seen);
  expect(seen.status === 'measured' && kindsOf(only(seen.value))).toEqual(new Set([`answered ${podA}`]));
  const reason = new Error('stopped before');
  await expect(openDialing(spec, undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
  await sleep(100);
  expect(tcp.sockets.size).toBe(0);
});

test('disposing ends the dialling', async () => {
  await using tcp = new TcpPeer(podA);
  tcp.voice.mute = true;
  const dialing = await openDialing(specOf({ tcp: await tcp.listen() }, { limitMs: 60_000 }));
  while (tcp.sockets.size < 5) await sleep(5);
  await dialing[Symbol.asyncDispose]();
  while (tcp.sockets.size > 0) await sleep(5);
});
