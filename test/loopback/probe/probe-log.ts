import { z } from 'zod';

const every = {
  monotonicNs: z
    .string()
    .regex(/^\d+$/)
    .transform((digits) => BigInt(digits)),
  bootId: z.string(),
  identity: z.string(),
};

/** Strict, so that a field which PROTOCOL.md does not have fails a test. */
const logLine = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('started'),
    ...every,
    protocol: z.literal(1),
    pod: z.string(),
    behavior: z.string(),
    drainSeconds: z.number(),
    tcpPort: z.int(),
    udpPort: z.int(),
    httpPort: z.int(),
    timeNamespaceOffsetNs: z.string().nullable(),
    pid: z.int(),
  }),
  z.strictObject({ event: z.literal('sigterm-received'), ...every }),
  z.strictObject({ event: z.literal('readiness-withdrawn'), ...every }),
  z.strictObject({ event: z.literal('close-announced'), ...every, connections: z.int() }),
  z.strictObject({ event: z.literal('exiting'), ...every, exitCode: z.int(), ignoredLines: z.int() }),
]);

export type LogLine = z.infer<typeof logLine>;
export type LogLineOf<E extends LogLine['event']> = Extract<LogLine, { event: E }>;

export const parseLogLine = (text: string): LogLine => logLine.parse(JSON.parse(text));
