import { z } from 'zod';
import { notMeasured, type Measured } from '../domain/measured.ts';
import {
  attemptOutcomes,
  connectionPaths,
  type AttemptInterval,
  type FailureWindow,
  type NewConnectionAnswers,
  type NewConnectionSeries,
  type NewConnectionSummary,
} from '../domain/new-connections.ts';
import type { PathCounts, PathSummary } from '../domain/path-summary.ts';
import { countSchema, measuredSchema, textSchema, timelinePointSchema } from './measured-schema.ts';

const outcomeSchema = z.enum(attemptOutcomes);

const intervalSchema = z.strictObject({
  fromMs: z.number(),
  toMs: z.number(),
  outcome: z.enum([...attemptOutcomes, 'mixed']),
  detail: textSchema.nullable(),
  count: countSchema,
}) satisfies z.ZodType<AttemptInterval>;

const answersSchema = z.strictObject({
  identity: textSchema,
  count: countSchema,
  firstMs: z.number(),
  lastMs: z.number(),
}) satisfies z.ZodType<NewConnectionAnswers>;

const windowSchema = z.strictObject({
  from: timelinePointSchema,
  to: timelinePointSchema,
  ms: z.number().min(0),
}) satisfies z.ZodType<FailureWindow>;

const summarySchema = z.strictObject({
  attempts: countSchema,
  unsettled: countSchema,
  before: z.strictObject({ attempts: countSchema, failed: countSchema }),
  outcomes: z.partialRecord(outcomeSchema, countSchema),
  answeredBy: z.array(answersSchema),
  firstFailure: timelinePointSchema.nullable(),
  lastFailure: timelinePointSchema.nullable(),
  failureWindow: measuredSchema(windowSchema),
  failingMs: z.number().min(0),
  lastAnswerOfPod: timelinePointSchema.nullable(),
  podAnswersAfterNotReady: measuredSchema(countSchema),
  gapMs: z.strictObject({ p50: z.number(), p99: z.number(), max: z.number() }),
  intervals: z.array(intervalSchema),
}) satisfies z.ZodType<NewConnectionSummary>;

const seriesSchema = z.strictObject({
  path: z.enum(connectionPaths),
  protocol: z.enum(['tcp', 'udp']),
  seen: measuredSchema(summarySchema),
}) satisfies z.ZodType<NewConnectionSeries>;

const countsSchema = z.strictObject({
  attempts: countSchema,
  outcomes: z.partialRecord(outcomeSchema, countSchema),
  failureWindowMs: measuredSchema(z.number().min(0)),
  podAnswersAfterNotReady: measuredSchema(countSchema),
}) satisfies z.ZodType<PathCounts>;

/** Of a trial, as the sum of a run keeps it. */
export const pathSummarySchema = z.strictObject({
  path: z.enum(connectionPaths),
  protocol: z.enum(['tcp', 'udp']),
  seen: measuredSchema(countsSchema),
}) satisfies z.ZodType<PathSummary>;

/** Of a trial; trials were reported before they dialled any. */
export const newConnectionsSchema = measuredSchema(z.array(seriesSchema)).default(
  notMeasured('the report is older than this measurement'),
) satisfies z.ZodType<Measured<readonly NewConnectionSeries[]>>;
