import { z } from 'zod';
import type { DelaySummary, GeneratorFacts } from '../domain/client.ts';
import { measured, notMeasured } from '../domain/measured.ts';
import type { PreflightResult } from '../domain/preflight.ts';
import type { MomentQuality } from '../domain/quality.ts';
import { probeBehaviors, requirements, type ExpectedEnd, type Scenario } from '../domain/scenario.ts';
import type {
  Arm,
  ClockEvidence,
  Conditions,
  ContainerEnd,
  Isolation,
  MetricSample,
  PhaseSpan,
  Trial,
  TrialReport,
} from '../domain/trial.ts';
import { environmentSchema } from './environment-schema.ts';
import { evidenceSchema } from './evidence-schema.ts';
import { eventNameSchema, timelineEventSchema } from './event-schema.ts';
import { flowSchema, severanceSchema } from './flow-schema.ts';
import { matrixRules } from './matrix-schema.ts';
import { countSchema, instantSchema, measuredSchema, textSchema } from './measured-schema.ts';
import { newConnectionsSchema } from './new-connections-schema.ts';

export const armSchema = z.strictObject({
  id: textSchema,
  scenario: textSchema,
  proxyMode: textSchema.nullable(),
  kubernetesVersion: textSchema.nullable(),
}) satisfies z.ZodType<Arm>;

const expectedEndSchema = z.strictObject({
  kind: z.enum(['drained-clean-close', 'severed', 'read-timeout', 'survived-observation-window', 'not-measured']),
  by: z.array(severanceSchema).exactOptional(),
}) satisfies z.ZodType<ExpectedEnd>;

const scenarioSchema = z.strictObject({
  name: textSchema,
  referenceArm: z.enum(['A', 'B', 'C', 'D', 'E']).nullable(),
  label: textSchema,
  summary: textSchema,
  behavior: z.enum(probeBehaviors),
  trigger: textSchema,
  expects: z.strictObject({
    tcp: expectedEndSchema.extend({
      or: expectedEndSchema.exactOptional(),
      notBefore: z.literal('grace-period').exactOptional(),
    }),
    exitCode: z.int(),
  }),
  requires: z.array(z.enum(requirements)),
  declares: z.array(textSchema),
}) satisfies z.ZodType<Scenario>;

const clockSchema = z.discriminatedUnion('relation', [
  z.strictObject({
    relation: z.literal('same-kernel'),
    bootId: textSchema,
    probeOffsetNs: textSchema,
    clientOffsetNs: textSchema,
  }),
  z.strictObject({
    relation: z.literal('bounded'),
    widthMs: z.number().min(0),
    exchanges: countSchema,
    reason: textSchema,
  }),
  z.strictObject({ relation: z.literal('unrelated'), reason: textSchema }),
]) satisfies z.ZodType<ClockEvidence>;

const { gracePeriodSeconds, flows, tcpHeartbeatMs, settleSeconds, trailingSeconds } = matrixRules;

const conditionsSchema = z.strictObject({
  gracePeriodSeconds,
  flows,
  tcpHeartbeatMs,
  // longer than a matrix may ask for where many flows share the generator
  udpIntervalMs: z.number().min(1),
  settleSeconds,
  trailingSeconds,
  drainSeconds: z.number().min(0),
  // reports did not hold these two while they were constants
  tcpReadTimeoutMs: z.number().min(0).default(5_000),
  udpSilenceMs: z.number().min(0).default(1_000),
  // earlier trials dialled none
  newConnectionIntervalMs: matrixRules.newConnectionIntervalMs.default(0),
  newConnectionLimitMs: z.number().min(0).default(900),
  evidence: matrixRules.evidence.default(false),
}) satisfies z.ZodType<Conditions>;

const preflightSchema = z.strictObject({
  name: textSchema,
  status: z.enum(['met', 'unmet', 'unverifiable', 'not-applicable']),
  detail: z.string(),
}) satisfies z.ZodType<PreflightResult>;

const containerSchema = z.strictObject({
  exitCode: z.int(),
  signal: z.int().nullable(),
  reason: z.string().nullable(),
}) satisfies z.ZodType<ContainerEnd>;

const delaySchema = z.strictObject({
  p50: z.number(),
  p99: z.number(),
  max: z.number(),
}) satisfies z.ZodType<DelaySummary>;

const generatorSchema = z.strictObject({
  udpBeforeMark: z.strictObject({ sent: countSchema, unanswered: countSchema }),
  skippedSends: countSchema,
  droppedAnswers: measuredSchema(z.array(z.strictObject({ flow: textSchema, answers: countSchema }))),
  udpBufferErrors: measuredSchema(z.strictObject({ receive: countSchema, send: countSchema })),
}) satisfies z.ZodType<GeneratorFacts>;

const clientSchema = z
  .strictObject({
    eventLoopDelayMs: delaySchema,
    stampDelayMs: z.number().min(0).exactOptional(),
    threadNiceness: z.int().exactOptional(),
    // earlier reports hold the bare numbers
    sendLatenessMs: z.union([measuredSchema(delaySchema), delaySchema.transform((value) => measured(value))]),
    generator: generatorSchema.exactOptional(),
  })
  // earlier reports placed every end by the greatest delay of all
  .transform((client) => ({
    ...client,
    stampDelayMs: client.stampDelayMs ?? client.eventLoopDelayMs.max,
  })) satisfies z.ZodType<Trial['client']>;

const isolationSchema = z.strictObject({
  lanes: z.int().min(1),
  spacingMs: z.number().min(0).nullable(),
}) satisfies z.ZodType<Isolation>;

const phaseSchema = z.strictObject({
  phase: textSchema,
  fromMs: z.number(),
  toMs: z.number(),
}) satisfies z.ZodType<PhaseSpan>;

const momentSchema = z.strictObject({
  moment: z.enum(['trigger', 'end']),
  fromMs: z.number(),
  toMs: z.number(),
  eventLoopDelayMs: measuredSchema(z.number().min(0)),
  cpuPressure: measuredSchema(z.number().min(0).max(1)),
  stolenMs: measuredSchema(z.number().min(0)),
}) satisfies z.ZodType<MomentQuality>;

export const trialSchema = z.strictObject({
  id: textSchema,
  arm: armSchema,
  repeat: countSchema,
  purpose: z.enum(['measured', 'warm-up']),
  firstOnCluster: z.boolean(),
  startedAt: instantSchema,
  pod: textSchema,
  scenario: scenarioSchema,
  conditions: conditionsSchema,
  // earlier reports are of trials that had the cluster for themselves
  isolation: isolationSchema.default({ lanes: 1, spacingMs: null }),
  phases: z.array(phaseSchema).default([]),
  quality: measuredSchema(z.array(momentSchema)).default(notMeasured('the report is older than this measure')),
  clock: clockSchema,
  preflight: z.array(preflightSchema),
  timeline: z.array(timelineEventSchema),
  unobservable: z.partialRecord(eventNameSchema, textSchema),
  flows: z.array(flowSchema),
  newConnections: newConnectionsSchema,
  evidence: evidenceSchema,
  container: measuredSchema(containerSchema),
  client: clientSchema,
}) satisfies z.ZodType<Trial>;

const sampleSchema = z.strictObject({
  value: z.number(),
  precision: z.enum(['exact', 'upper-bound', 'bounded', 'lower-bound', 'unbounded']),
}) satisfies z.ZodType<MetricSample>;

export const trialReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  environment: environmentSchema,
  trial: trialSchema,
  metrics: z.record(z.string(), measuredSchema(sampleSchema)),
  unexpected: z.array(textSchema),
  // earlier reports counted these among the unexpected
  inconclusive: z.array(textSchema).default([]),
}) satisfies z.ZodType<TrialReport>;
