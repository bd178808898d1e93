import { z } from 'zod';
import type { Flow, FlowOutcome, Severance } from '../domain/flow.ts';
import { causeSchema, detectionSchema } from './evidence-schema.ts';
import { countSchema, textSchema, timelinePointSchema } from './measured-schema.ts';

export const severanceSchema = z.enum([
  'rst',
  'unannounced-fin',
  'write-error',
  'icmp-unreachable',
  'silence',
  'rehomed',
]) satisfies z.ZodType<Severance>;

const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drained-clean-close'), at: timelinePointSchema }),
  z.strictObject({ kind: z.literal('severed'), at: timelinePointSchema, by: severanceSchema }),
  z.strictObject({ kind: z.literal('read-timeout'), at: timelinePointSchema }),
  z.strictObject({ kind: z.literal('survived-observation-window') }),
  z.strictObject({ kind: z.literal('not-measured'), reason: textSchema }),
]) satisfies z.ZodType<FlowOutcome>;

export const flowSchema = z.strictObject({
  id: textSchema,
  protocol: z.enum(['tcp', 'udp']),
  openedTo: textSchema.nullable(),
  outcome: outcomeSchema,
  rehomed: z.strictObject({ to: textSchema, at: timelinePointSchema }).nullable(),
  sent: countSchema,
  answered: countSchema,
  lastSequence: countSchema.nullable(),
  errorCode: z.string().nullable(),
  // earlier reports judged no cause
  cause: causeSchema.nullable().default(null),
  detections: z.array(detectionSchema).default([]),
}) satisfies z.ZodType<Flow>;
