import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { encodePing, parseAnswer, parsePong } from '../../../src/flows/protocol-lines.ts';

const vectorOf = <T extends z.ZodType>(message: T) =>
  z.array(z.object({ line: z.string(), message: message.nullable() })).nonempty();
const monotonicNs = z.string().transform(BigInt);
const { clientToProbe, probeToClient } = z
  .object({
    clientToProbe: vectorOf(z.object({ kind: z.literal('ping'), sequence: z.number() })),
    probeToClient: vectorOf(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('pong'), sequence: z.number(), monotonicNs, identity: z.string() }),
        z.object({ kind: z.literal('bye'), monotonicNs, identity: z.string() }),
      ]),
    ),
  })
  .parse(JSON.parse(readFileSync('probe/vectors.json', 'utf8')));

const asReceived = (line: string): string => Buffer.from(line, 'utf8').toString('latin1');

test.each(probeToClient)('the client reads $line as the vectors say', ({ line, message }) => {
  expect(parseAnswer(asReceived(line))).toEqual(message);
});

test.each(probeToClient)('a datagram is a pong or is ignored: $line', ({ line, message }) => {
  expect(parsePong(asReceived(line))).toEqual(message?.kind === 'pong' ? message : null);
});

test.each(clientToProbe.filter(({ message }) => message !== null))('the client writes $line', ({ line, message }) => {
  expect(encodePing(message?.sequence ?? -1).toString('utf8')).toBe(line);
});
