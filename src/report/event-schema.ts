import { z } from 'zod';
import type { EventName, EventPayloads, TimelineEvent } from '../domain/event.ts';
import { committedSchema } from './evidence-schema.ts';
import { countSchema, textSchema, timelinePointSchema } from './measured-schema.ts';

const pod = z.strictObject({ pod: textSchema });
const exitCode = z.int();
const signal = z.int().nullable();

const payloads = {
  'trigger-issued': z.strictObject({ trigger: textSchema, pod: textSchema }),
  'trigger-accepted': z.strictObject({ trigger: textSchema }),
  'sigterm-received': pod,
  'readiness-withdrawn': pod,
  'close-announced': z.strictObject({ pod: textSchema, connections: countSchema }),
  'probe-exiting': z.strictObject({ pod: textSchema, exitCode }),
  'sigkill-sent': pod,
  'process-exited': z.strictObject({ pod: textSchema, exitCode, signal }),
  'pod-terminating': pod,
  'pod-ready': pod,
  'pod-not-ready': pod,
  'container-terminated': z.strictObject({ pod: textSchema, exitCode, signal, reason: z.string().nullable() }),
  'pod-deleted': pod,
  'endpoint-ready': pod,
  'endpoint-not-ready': z.strictObject({
    pod: textSchema,
    serving: z.boolean().nullable(),
    terminating: z.boolean().nullable(),
  }),
  'endpoint-removed': pod,
  'flow-ended': z.strictObject({ flow: textSchema }),
  'flow-rehomed': z.strictObject({ flow: textSchema, pod: textSchema }),
  'watch-interrupted': z.strictObject({ resource: textSchema, reason: z.string() }),
  'watch-resumed': z.strictObject({ resource: textSchema, gapMs: z.number() }),
  'observation-closed': z.strictObject({ reason: z.enum(['all-ended', 'window-elapsed']) }),
} satisfies { readonly [N in EventName]: z.ZodType<EventPayloads[N]> };

const eventSchema = <N extends EventName>(name: N) =>
  z.strictObject({
    name: z.literal(name),
    source: z.enum(['orchestrator', 'client', 'kubernetes', 'probe']),
    at: timelinePointSchema,
    payload: payloads[name],
    committed: committedSchema.exactOptional(),
  });

export const timelineEventSchema = z.discriminatedUnion('name', [
  eventSchema('trigger-issued'),
  eventSchema('trigger-accepted'),
  eventSchema('sigterm-received'),
  eventSchema('readiness-withdrawn'),
  eventSchema('close-announced'),
  eventSchema('probe-exiting'),
  eventSchema('sigkill-sent'),
  eventSchema('process-exited'),
  eventSchema('pod-terminating'),
  eventSchema('pod-ready'),
  eventSchema('pod-not-ready'),
  eventSchema('container-terminated'),
  eventSchema('pod-deleted'),
  eventSchema('endpoint-ready'),
  eventSchema('endpoint-not-ready'),
  eventSchema('endpoint-removed'),
  eventSchema('flow-ended'),
  eventSchema('flow-rehomed'),
  eventSchema('watch-interrupted'),
  eventSchema('watch-resumed'),
  eventSchema('observation-closed'),
]) satisfies z.ZodType<TimelineEvent>;

/** Names as keys of what a host can't observe. */
export const eventNameSchema = z.strictObject(payloads).keyof();
