import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { formatBye, formatPong, maxLineBytes, parsePing } from '../../../probe/src/protocol.ts';

const ping = z.strictObject({ kind: z.literal('ping'), sequence: z.number() });
const answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pong'), sequence: z.number(), monotonicNs: z.string(), identity: z.string() }),
  z.strictObject({ kind: z.literal('bye'), monotonicNs: z.string(), identity: z.string() }),
]);
const vectors = z
  .strictObject({
    clientToProbe: z.array(z.strictObject({ line: z.string(), message: ping.nullable() })),
    probeToClient: z.array(z.strictObject({ line: z.string(), message: answer.nullable() })),
  })
  .parse(JSON.parse(readFileSync('probe/vectors.json', 'utf8')));

const asReceived = (line: string) => Buffer.from(line, 'utf8').toString('latin1');
const answers = vectors.probeToClient.flatMap(({ line, message }) => (message === null ? [] : [{ line, message }]));

test.each(vectors.clientToProbe)('the probe reads $line as the vectors say', ({ line, message }) => {
  expect(parsePing(asReceived(line))).toEqual(message);
});

test.each(answers)('the probe writes $message.kind exactly as $line', ({ line, message }) => {
  const ns = BigInt(message.monotonicNs);
  const written =
    message.kind === 'pong' ? formatPong(message.sequence, ns, message.identity) : formatBye(ns, message.identity);
  expect(written).toBe(line);
});

test.each(answers)('the probe ignores $line, which is its own to send', ({ line }) => {
  expect(parsePing(asReceived(line))).toBeNull();
});

test('the longest lines that the probe can write are within the limit', () => {
  const identity = `${'a'.repeat(253)}/0a1b2c3d`;
  expect(Buffer.byteLength(formatPong(0xffff_ffff, 2n ** 63n - 1n, identity))).toBeLessThanOrEqual(maxLineBytes);
});

test('every sequence in range is read back from its only spelling', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (sequence) => {
      expect(parsePing(`ping ${sequence}\n`)).toEqual({ kind: 'ping', sequence });
    }),
  );
});

test('a line that is read is the spelling of what was read', () => {
  const nearlyPing = fc.stringMatching(/^ ?(ping|Ping|pong) {0,2}[-+0]?[0-9a-f]{0,12} ?\r?\n?\n?$/);
  fc.assert(
    fc.property(nearlyPing, (line) => {
      const message = parsePing(line);
      if (message !== null) expect(line).toBe(`ping ${message.sequence}\n`);
    }),
  );
});
