import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCapture } from '../../../../src/timeline/evidence/capture-file.ts';
import { decodePacket } from '../../../../src/timeline/evidence/packet.ts';
import { sightings } from '../../../../src/timeline/evidence/sightings.ts';
import { wallClockMoments } from '../../../../src/timeline/wall-clock.ts';

const capture = (name: string) => readFileSync(`test/fixtures/evidence/packets-${name}.pcap`);
const noOffset = { leastNs: 0n, greatestNs: 0n };
const moments = wallClockMoments(noOffset, noOffset);
const endpoint = { address: '172.18.0.2', tcpPort: 30777, udpPort: 30777 };
const sightedIn = (file: Uint8Array, podAddress: string, clientPorts: readonly number[]) =>
  sightings(file, { endpoint, podAddress, clientPorts: new Set(clientPorts) }, moments);

const tcpPorts = [51198, 51208];
const udpPorts = [39106, 50988];

test('a reset by the pod is seen once a flow, where node and client meet, and its sender is the pod', () => {
  const seen = sightedIn(capture('exit-now'), '10.244.1.4', tcpPorts);
  expect(seen.map(({ kind, clientPort, direction, sender }) => [kind, clientPort, direction, sender])).toEqual(
    tcpPorts.map((port) => ['rst', port, 'to-client', 'pod']),
  );
  // tcpdump shows the first of them leaving the node at 20:16:52.487397
  expect(seen[0]?.at).toEqual({ earliestNs: 1795983412487397000n, latestNs: 1795983412487397000n });
});

test('a port unreachable by the pod names the flow by the client’s own port, and has the pod for its sender', () => {
  const seen = sightedIn(capture('exit-now'), '10.244.1.4', udpPorts).filter(({ kind }) => kind !== 'answer');
  expect(seen.map(({ kind, sender }) => [kind, sender])).toEqual(Array(4).fill(['icmp-unreachable', 'pod']));
  expect(new Set(seen.map(({ clientPort }) => clientPort))).toEqual(new Set(udpPorts));
});

test('once the pod’s interface is gone, who says unreachable is neither pod nor node', () => {
  const seen = sightedIn(capture('pod-gone'), '10.244.1.2', [32806, 44066]);
  expect(seen.map(({ sender }) => sender)).toEqual([
    ...Array<string>(6).fill('pod'),
    ...Array<string>(3).fill('elsewhere'),
  ]);
});

test('of a pod that was scaled away, first its own kernel says unreachable, and then the node in its place', () => {
  const seen = sightedIn(capture('drain-scale'), '10.244.1.6', [42722, 42768]);
  const senders = seen.filter(({ kind }) => kind === 'icmp-unreachable').map(({ sender }) => sender);
  expect(senders.filter((sender, at) => sender !== senders[at - 1])).toEqual(['pod', 'node']);
});

test('both sides’ FIN are told apart', () => {
  const seen = sightedIn(capture('drain-scale'), '10.244.1.6', [33916]);
  expect(seen.map(({ kind, direction, sender }) => [kind, direction, sender])).toEqual([
    ['fin', 'to-client', 'pod'],
    ['fin', 'from-client', 'client'],
  ]);
});

test('what leaves the node without having come in was sent by the node', () => {
  const file = capture('exit-now');
  const { frames } = readCapture(file);
  const header = file.subarray(0, 24);
  const leaving = frames.flatMap(({ bytes }) =>
    decodePacket(bytes)?.direction === 'out'
      ? [Buffer.from(bytes.buffer, bytes.byteOffset - 16, bytes.byteLength + 16)]
      : [],
  );
  const seen = sightedIn(Buffer.concat([header, ...leaving]), '10.244.1.4', [...tcpPorts, 39106]);
  expect(new Set(seen.filter(({ kind }) => kind !== 'answer').map(({ sender }) => sender))).toEqual(new Set(['node']));
});

test('packets of other flows are none of these', () => {
  expect(sightedIn(capture('exit-now'), '10.244.1.4', [1])).toEqual([]);
});

test('a capture that was cut off anywhere gives the packets before the cut', () => {
  const file = capture('exit-now');
  const whole = readCapture(file).frames.length;
  let before = 0;
  for (let length = 24; length <= file.length; length++) {
    const { length: count } = readCapture(file.subarray(0, length)).frames;
    expect(count).toBeGreaterThanOrEqual(before);
    before = count;
  }
  expect(before).toBe(whole);
});

test('a frame that was cut off anywhere is decoded or left out, and never throws', () => {
  for (const { bytes } of readCapture(capture('pod-gone')).frames) {
    for (let length = 0; length <= bytes.byteLength; length++) {
      decodePacket(new DataView(bytes.buffer, bytes.byteOffset, length));
    }
  }
});

test.each(['', 'this is no capture file at all, is it'])('%j is no capture file', (text) => {
  expect(() => readCapture(Buffer.from(text))).toThrow(RangeError);
});

test('resolution and byte order are read from the file', () => {
  const file = Buffer.alloc(24 + 16 + 1);
  file.writeUInt32BE(0xa1b23c4d, 0);
  file.writeUInt32BE(276, 20);
  file.writeUInt32BE(7, 24);
  file.writeUInt32BE(123_456_789, 28);
  file.writeUInt32BE(1, 32);
  expect(readCapture(file)).toMatchObject({ linkType: 276, frames: [{ wallNs: 7_123_456_789n }] });
});
