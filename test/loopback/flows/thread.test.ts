import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ActionableError } from '../../../src/domain/errors.ts';
import { createFlowClient } from '../../../src/flows/flow-client.ts';
import { openAnswered, openFlows, podA, specOf } from './open-flows.ts';
import { TcpPeer } from './tcp-peer.ts';
import { UdpPeer } from './udp-peer.ts';

const threads = 'test/loopback/flows/threads';
const openWith = (workerFile: string) =>
  createFlowClient({ workerFile }).open(specOf({ tcp: 1 }), new AbortController().signal);
const harness = { name: 'ActionableError', kind: 'harness' };

test('a thread that dies is a failure of the harness, with the defect as its cause, wherever one waits for it', async () => {
  await using flows = await openWith(`${threads}/dies-when-marked.mjs`);
  const status = flows.status();
  flows.mark();
  await expect(flows.failed).rejects.toMatchObject(harness);
  await expect(flows.failed).rejects.toMatchObject({ cause: { message: 'a defect in the thread' } });
  await expect(status).rejects.toMatchObject(harness);
  await expect(flows.finish()).rejects.toMatchObject(harness);
});

test('a death that nobody waits for does not end the process', async () => {
  await using flows = await openWith(`${threads}/dies-when-marked.mjs`);
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  flows.mark();
  await sleep(300);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await expect(flows.failed).rejects.toMatchObject(harness);
});

test('a thread that never opens rejects the opening', async () => {
  await expect(openWith(`${threads}/exits-at-start.mjs`)).rejects.toThrow('exit code 7');
  await expect(openWith(`${threads}/does-not-exist.mjs`)).rejects.toMatchObject(harness);
});

test('periods and counts that no schedule can keep are an error of input, before anything is opened', async () => {
  const open = openFlows(specOf({ udp: 1 }, { udpIntervalMs: 0, tcp: 1.5 }));
  await expect(open).rejects.toThrow(ActionableError);
  await expect(open).rejects.toThrow(/udpIntervalMs is 0, tcp is 1\.5/);
});

test('an abort during the opening rejects with its reason and leaves no connection', async () => {
  await using peer = new TcpPeer(podA);
  const port = await peer.listen();
  for (const delayMs of [0, 20, 40, 60, 80]) {
    const abort = new AbortController();
    const open = openFlows(specOf({ tcp: port }, { tcp: 200 }), abort.signal);
    const reason = new Error(`stopped after ${delayMs} ms`);
    const outcome = open.then(
      (flows) => flows[Symbol.asyncDispose](),
      (error: unknown) => error,
    );
    await sleep(delayMs);
    abort.abort(reason);
    expect([reason, undefined]).toContain(await outcome);
  }
  while (peer.sockets.size > 0) await sleep(5);
});

test('an abort before the opening opens nothing', async () => {
  await using peer = new TcpPeer(podA);
  const reason = new Error('stopped before');
  const spec = specOf({ tcp: await peer.listen() });
  await expect(openFlows(spec, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(peer.sockets.size).toBe(0);
});

test('an abort after the opening is the caller affair: the flows live on', async () => {
  await using peer = new TcpPeer(podA);
  const abort = new AbortController();
  await using flows = await openFlows(specOf({ tcp: await peer.listen() }), abort.signal);
  abort.abort();
  await sleep(100);
  expect((await flows.status()).tcpEstablished).toBe(1);
});

test('disposing closes what is open, without a failure', async () => {
  await using peer = new TcpPeer(podA);
  const flows = await openAnswered(specOf({ tcp: await peer.listen() }, { tcp: 3 }));
  let failed = false;
  flows.failed.catch(() => (failed = true));
  expect(peer.sockets.size).toBe(3);
  await flows[Symbol.asyncDispose]();
  while (peer.sockets.size > 0) await sleep(5);
  await expect(flows.status()).rejects.toThrow('the flows were closed');
  expect(failed).toBe(false);
});

test('finishing closes all and gives the same again; disposing after it does nothing', async () => {
  await using tcpPeer = new TcpPeer(podA);
  await using udpPeer = new UdpPeer(podA);
  const spec = specOf({ tcp: await tcpPeer.listen(), udp: await udpPeer.bind() }, { tcp: 2, udp: 2 });
  const flows = await openAnswered(spec);
  const observation = await flows.finish();
  expect(observation.flows.map(({ id }) => id)).toEqual(['tcp-1', 'tcp-2', 'udp-1', 'udp-2']);
  expect(await flows.finish()).toBe(observation);
  await flows[Symbol.asyncDispose]();
  while (tcpPeer.sockets.size > 0) await sleep(5);
  const heard = () => [...udpPeer.receivedNs.values()].reduce((sum, times) => sum + times.length, 0);
  const heardThen = heard();
  await sleep(200);
  expect(heard()).toBe(heardThen);
});

test('status counts what preflight asks for', async () => {
  await using tcpPeer = new TcpPeer(podA);
  await using udpPeer = new UdpPeer(podA);
  const spec = specOf({ tcp: await tcpPeer.listen(), udp: await udpPeer.bind() }, { tcp: 10, udp: 10 });
  await using flows = await openAnswered(spec);
  expect(await flows.status()).toEqual({
    dialed: 20,
    tcpEstablished: 10,
    udpReplying: 10,
    answeredBy: [podA],
    firstError: null,
  });
});

test('without flows all have ended', async () => {
  await using flows = await openFlows(specOf({}));
  await flows.allEnded;
  expect(await flows.finish()).toMatchObject({
    flows: [],
    exchanges: null,
    sendLatenessMs: { status: 'not-measured' },
  });
});

test('the exchanges with a probe on this machine hold its readings between sending and receipt', async () => {
  await using tcpPeer = new TcpPeer(podA);
  await using udpPeer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ tcp: await tcpPeer.listen(), udp: await udpPeer.bind() }));
  await sleep(500);
  const { exchanges, flows: records } = await flows.finish();
  expect(exchanges?.kept.length).toBeGreaterThan(0);
  expect(exchanges?.kept.filter(({ sentNs, probeNs, receivedNs }) => probeNs < sentNs || probeNs > receivedNs)).toEqual(
    [],
  );
  expect(exchanges?.count).toBe(records.reduce((sum, { answered }) => sum + answered, 0));
});
