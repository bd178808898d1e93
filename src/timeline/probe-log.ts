import * as z from 'zod';
import type { RawEvent } from '../domain/event.ts';
import type { ProbeClock } from '../domain/workload.ts';
import { clockDomain } from './clock-domain.ts';

const nanoseconds = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const stamped = { monotonicNs: nanoseconds, bootId: z.string().nullable(), identity: z.string() };

/** The log lines of probe/PROTOCOL.md. Unknown fields are let through, so that a newer probe can say more. */
const probeLine = z.discriminatedUnion('event', [
  z.object({
    ...stamped,
    event: z.literal('started'),
    pod: z.string(),
    behavior: z.string(),
    drainSeconds: z.number(),
    tcpPort: z.number(),
    udpPort: z.number(),
    httpPort: z.number(),
    timeNamespaceOffsetNs: nanoseconds.nullable(),
    pid: z.number(),
  }),
  z.object({ ...stamped, event: z.literal('sigterm-received') }),
  z.object({ ...stamped, event: z.literal('readiness-withdrawn') }),
  z.object({ ...stamped, event: z.literal('close-announced'), connections: z.number() }),
  z.object({ ...stamped, event: z.literal('exiting'), exitCode: z.number() }),
]);

export type ProbeLine = z.infer<typeof probeLine>;
export type ProbeStart = Extract<ProbeLine, { event: 'started' }>;

/** Undefined for a line that is none of the probe's, as another program's complaint. */
export function parseProbeLine(text: string): ProbeLine | undefined {
  try {
    return probeLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const probeClockOf = ({ identity, bootId, timeNamespaceOffsetNs }: ProbeStart): ProbeClock => ({
  identity,
  bootId,
  timeNamespaceOffsetNs,
});

/** The event that a line tells of, on the probe's own clock; `started` is a fact about the workload, not an event. */
export function probeEvent(line: Exclude<ProbeLine, ProbeStart>, pod: string, clock: ProbeClock): RawEvent {
  const common = {
    source: 'probe',
    stamp: 'at-occurrence',
    reading: { domain: clockDomain(clock), monotonicNs: line.monotonicNs },
  } as const;
  switch (line.event) {
    case 'sigterm-received':
    case 'readiness-withdrawn':
      return { ...common, name: line.event, payload: { pod } };
    case 'close-announced':
      return { ...common, name: line.event, payload: { pod, connections: line.connections } };
    case 'exiting':
      return { ...common, name: 'probe-exiting', payload: { pod, exitCode: line.exitCode } };
    default:
      return line satisfies never;
  }
}
