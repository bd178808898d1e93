import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { valueOf } from '../../../src/domain/measured.ts';
import { FlowSet } from '../../../src/flows/flow-set.ts';
import { builtWorker, openAnswered, podA, specOf } from './open-flows.ts';
import { TcpPeer } from './tcp-peer.ts';
import { UdpPeer } from './udp-peer.ts';

/** Flows on this very thread, which a test can keep busy. */
const flowsHere = async (udpPort: number): Promise<FlowSet> => {
  const flows = new FlowSet(specOf({ udp: udpPort }, { udp: 2 }), () => undefined);
  await flows.dial();
  while (flows.status().udpReplying < 2) await sleep(5);
  return flows;
};

test('answers that a thread does not read in time are told as the generator’s own loss, by flow', async () => {
  await using peer = new UdpPeer(podA);
  const flows = await flowsHere(await peer.bind());
  const [port] = peer.receivedNs.keys();
  peer.receivedNs.delete(port ?? 0);
  for (let count = 0; count < 200; count += 1) peer.write('x'.repeat(60_000));
  // this very thread sends them all before it reads the first
  await turn();
  const { generator } = flows.finish();
  const dropped = valueOf(generator.droppedAnswers) ?? [];
  expect(dropped.map(({ flow }) => flow)).toHaveLength(1);
  expect(dropped[0]?.answers).toBeGreaterThan(0);
  expect(valueOf(generator.udpBufferErrors)?.receive).toBeGreaterThanOrEqual(dropped[0]?.answers ?? Infinity);
});

test('slots that a busy thread let pass are counted from the mark on', async () => {
  await using peer = new UdpPeer(podA);
  const flows = await flowsHere(await peer.bind());
  const block = (ms: number) => {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
  };
  flows.mark();
  block(200);
  await sleep(50);
  const { generator } = flows.finish();
  // two flows, each of which has a slot every 20 ms
  expect(generator.skippedSends).toBeGreaterThanOrEqual(2 * 8);
});

test('what stayed unanswered before the mark is told apart from what followed', async () => {
  await using peer = new UdpPeer(podA);
  await using flows = await openAnswered(specOf({ udp: await peer.bind() }));
  peer.voice.mute = true;
  await sleep(300);
  peer.voice.mute = false;
  await sleep(300);
  flows.mark();
  peer.voice.mute = true;
  await sleep(200);
  const { generator, flows: records } = await flows.finish();
  const { sent, unanswered } = generator.udpBeforeMark;
  expect(unanswered).toBeGreaterThan(3);
  expect(sent - unanswered).toBeGreaterThan(3);
  expect(sent).toBeLessThan(records[0]?.sent ?? 0);
  expect(valueOf(generator.droppedAnswers)).toEqual([]);
});

/** Opens flows with few file descriptors, past the check that the client makes before. */
const crowdedProgram = (workerFile: string, spec: object) => `
  import { Worker } from 'node:worker_threads';
  const worker = new Worker(${JSON.stringify(workerFile)}, { execArgv: [] });
  worker.postMessage(${JSON.stringify(spec)});
  worker.on('message', (notice) => {
    if (notice.kind === 'opened') worker.postMessage({ kind: 'finish' });
    if (notice.kind === 'finished') console.log(JSON.stringify(notice.observation.flows.map((flow) => flow.dialError)));
  });`;

test('where file descriptors run out, each flow that got none says so, and the others live', async () => {
  await using tcpPeer = new TcpPeer(podA);
  await using udpPeer = new UdpPeer(podA);
  const ports = { tcp: await tcpPeer.listen(), udp: await udpPeer.bind() };
  const program = crowdedProgram(resolve(builtWorker), specOf(ports, { tcp: 60, udp: 60 }));
  const limited = ['-c', 'ulimit -n 100; exec "$0" --input-type=module --eval "$1"', process.execPath, program];
  const { stdout } = await promisify(execFile)('/bin/sh', limited);
  const errors = JSON.parse(stdout) as readonly (string | null)[];
  expect(errors).toHaveLength(120);
  expect(new Set(errors)).toEqual(new Set([null, 'EMFILE']));
});
