import { z } from 'zod';
import type {
  AbsentArm,
  Aggregate,
  ArmAggregate,
  MetricAggregate,
  OutcomeCount,
  Summary,
  TrialSummary,
  WatchGap,
} from '../domain/aggregate.ts';
import type { CauseCount } from '../domain/cause-count.ts';
import { environmentSchema } from './environment-schema.ts';
import { eventNameSchema } from './event-schema.ts';
import { causeNameSchema } from './evidence-schema.ts';
import { levelComparisonSchema } from './level-comparison-schema.ts';
import { matrixSchema } from './matrix-schema.ts';
import { countSchema, instantSchema, measuredSchema, textSchema } from './measured-schema.ts';
import { pathSummarySchema } from './new-connections-schema.ts';
import { armSchema } from './trial-schema.ts';

export const summarySchema = z.strictObject({
  n: z.int().min(1, 'a whole number, 1 or more'),
  min: z.number(),
  median: z.number(),
  max: z.number(),
  mad: z.number().min(0).exactOptional(),
  rangeConfidence: z.number().min(0).max(1).exactOptional(),
  values: z.array(z.number()),
}) satisfies z.ZodType<Summary>;

const metricSchema = z.strictObject({
  metric: textSchema,
  summary: measuredSchema<Summary>(summarySchema),
  precisions: z.array(textSchema),
  notMeasured: z.array(z.strictObject({ trial: textSchema, reason: textSchema })),
}) satisfies z.ZodType<MetricAggregate>;

const outcomesSchema = z.array(
  z.strictObject({ outcome: textSchema, flows: countSchema }) satisfies z.ZodType<OutcomeCount>,
);

const watchGapSchema = z.strictObject({
  resource: textSchema,
  gapMs: measuredSchema(z.number().min(0)),
  late: z.array(eventNameSchema),
}) satisfies z.ZodType<WatchGap>;

const causeSchema = z.strictObject({
  protocol: z.enum(['tcp', 'udp']),
  outcome: textSchema,
  cause: causeNameSchema,
  by: textSchema.nullable(),
  flows: countSchema,
  contradicted: countSchema,
}) satisfies z.ZodType<CauseCount>;

const trialSchema = z.strictObject({
  id: textSchema,
  firstOnCluster: z.boolean(),
  tcp: outcomesSchema,
  udp: outcomesSchema,
  udpRehomed: countSchema,
  // earlier aggregates tell of none
  causes: z.array(causeSchema).default([]),
  newConnections: z.array(pathSummarySchema).exactOptional(),
  exitCode: measuredSchema(z.int()),
  clock: z.enum(['same-kernel', 'bounded', 'unrelated']),
  stampDelayMs: z.number().min(0),
  // earlier aggregates tell of neither
  watchGaps: z.array(watchGapSchema).default([]),
  unexpected: z.array(textSchema),
  inconclusive: z.array(textSchema).default([]),
}) satisfies z.ZodType<TrialSummary>;

const completeSchema = z.strictObject({
  status: z.literal('complete'),
  arm: armSchema,
  label: textSchema,
  verdict: z.enum(['as-expected', 'not-as-expected', 'inconclusive']),
  disagreements: z.array(textSchema),
  drift: z.array(textSchema),
  trials: z.array(trialSchema),
  metrics: z.array(metricSchema),
}) satisfies z.ZodType<ArmAggregate>;

const absentSchema = z.strictObject({
  status: z.enum(['discarded', 'skipped']),
  arm: armSchema,
  label: textSchema,
  reason: textSchema,
  completeTrials: countSchema,
}) satisfies z.ZodType<AbsentArm>;

export const wallSecondsSchema = measuredSchema(z.number().min(0));

export const aggregateSchema = z.strictObject({
  schemaVersion: z.literal(1),
  run: textSchema,
  matrix: matrixSchema,
  startedAt: instantSchema,
  wallSeconds: wallSecondsSchema,
  drift: z.array(textSchema),
  environment: measuredSchema(environmentSchema),
  arms: z.array(z.discriminatedUnion('status', [completeSchema, absentSchema])),
  comparisons: z.array(levelComparisonSchema).default([]),
  warmUps: countSchema,
  failedAttempts: z.array(z.strictObject({ trial: textSchema, reason: textSchema })),
}) satisfies z.ZodType<Aggregate>;
