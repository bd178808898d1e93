import * as z from 'zod';
import {
  attemptOutcomes,
  connectionPaths,
  type AttemptColumns,
  type AttemptRecord,
  type ConnectionPath,
  type NewConnectionSpec,
} from '../domain/new-connections.ts';
import type { ProbeClock } from '../domain/workload.ts';

/** The messages of probe/PROTOCOL.md, "Client", which another version's image may speak. */

const nanoseconds = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const port = z.int().min(1).max(65_535);

/** Asks the client to dial. */
export const dialRequestSchema = z.object({
  endpoint: z.object({ address: z.string(), tcpPort: port, udpPort: port }),
  path: z.enum(connectionPaths),
  protocols: z.array(z.enum(['tcp', 'udp'])).min(1),
  intervalMs: z.number().min(1),
  limitMs: z.number().min(1),
}) satisfies z.ZodType<NewConnectionSpec>;

/** What it says of its clock once it dials. */
const dialAnswerSchema = z.object({
  protocol: z.literal(1),
  identity: z.string(),
  bootId: z.string().nullable(),
  timeNamespaceOffsetNs: nanoseconds.nullable(),
});

export const writeDialAnswer = ({ identity, bootId, timeNamespaceOffsetNs: offset }: ProbeClock): string =>
  JSON.stringify({ protocol: 1, identity, bootId, timeNamespaceOffsetNs: offset === null ? null : `${offset}` });

/** @throws when it is no such message */
export function readDialAnswer(text: string): ProbeClock {
  const { identity, bootId, timeNamespaceOffsetNs } = dialAnswerSchema.parse(JSON.parse(text));
  return { identity, bootId, timeNamespaceOffsetNs };
}

const whole = z.int().min(0);
const index = (most: number) => z.int().min(0).max(most);

const attemptsSchema = z
  .object({
    protocol: z.enum(['tcp', 'udp']),
    fromNs: nanoseconds,
    startedNs: z.array(whole),
    tookNs: z.array(whole),
    outcome: z.array(index(attemptOutcomes.length)),
    detail: z.array(index(0xffff)),
    details: z.array(z.string()),
  })
  .refine(({ startedNs, tookNs, outcome, detail }) =>
    [tookNs, outcome, detail].every(({ length }) => length === startedNs.length),
  );

/** All attempts; their times as whole nanoseconds after the first one's start, which JSON's numbers hold. */
export const writeAttempts = (records: readonly AttemptRecord[]): string =>
  JSON.stringify(
    records.map(({ protocol, attempts: { startedNs, endedNs, outcome, detail, details } }) => {
      const fromNs = startedNs[0] ?? 0n;
      return {
        protocol,
        fromNs: `${fromNs}`,
        startedNs: Array.from(startedNs, (ns) => Number(ns - fromNs)),
        // one in flight has no end
        tookNs: Array.from(endedNs, (ns, row) => (outcome[row] === 0 ? 0 : Number(ns - (startedNs[row] ?? ns)))),
        outcome: [...outcome],
        detail: [...detail],
        details,
      };
    }),
  );

/** @throws when it is no such message */
export const readAttempts = (text: string, path: ConnectionPath, clock: ProbeClock): readonly AttemptRecord[] =>
  z
    .array(attemptsSchema)
    .parse(JSON.parse(text))
    .map(({ protocol, ...columns }) => ({ path, protocol, clock, attempts: columnsOf(columns) }));

type WrittenColumns = Omit<z.infer<typeof attemptsSchema>, 'protocol'>;

function columnsOf({ fromNs, startedNs, tookNs, outcome, detail, details }: WrittenColumns): AttemptColumns {
  const started = BigInt64Array.from(startedNs, (ns) => fromNs + BigInt(ns));
  return {
    startedNs: started,
    endedNs: BigInt64Array.from(tookNs, (ns, row) => (started[row] ?? 0n) + BigInt(ns)),
    outcome: Uint8Array.from(outcome),
    detail: Uint16Array.from(detail),
    details,
  };
}
