import { z } from 'zod';
import type {
  ComparedArm,
  ComparedRun,
  Comparison,
  MetricComparison,
  OutcomeDifference,
  PooledMetric,
  UncomparedArm,
} from '../../domain/comparison.ts';
import { summarySchema } from '../aggregate-schema.ts';
import { countSchema, measuredSchema, textSchema } from '../measured-schema.ts';
import { findingSchema, judgedShiftShape, shareSchema, waysSchema } from '../shift-schema.ts';
import { armSchema } from '../trial-schema.ts';

const metricSchema = z.strictObject({
  metric: textSchema,
  a: measuredSchema(summarySchema),
  b: measuredSchema(summarySchema),
  ...judgedShiftShape,
}) satisfies z.ZodType<MetricComparison>;

export const pooledSchema = z.strictObject({
  metric: textSchema,
  arms: countSchema,
  sizes: z.strictObject({ a: countSchema, b: countSchema }),
  ...judgedShiftShape,
}) satisfies z.ZodType<PooledMetric>;

const outcomeSchema = z.strictObject({
  aspect: textSchema,
  a: waysSchema,
  b: waysSchema,
  pValue: shareSchema,
  finding: findingSchema,
}) satisfies z.ZodType<OutcomeDifference>;

const comparedSchema = z.strictObject({
  status: z.literal('compared'),
  arm: armSchema,
  label: textSchema,
  repeats: z.strictObject({ a: countSchema, b: countSchema }),
  outcomes: z.array(outcomeSchema),
  metrics: z.array(metricSchema),
}) satisfies z.ZodType<ComparedArm>;

const uncomparedSchema = z.strictObject({
  status: z.literal('not-compared'),
  arm: armSchema,
  label: textSchema,
  reason: textSchema,
}) satisfies z.ZodType<UncomparedArm>;

const runSchema = z.strictObject({ run: textSchema, name: textSchema }) satisfies z.ZodType<ComparedRun>;

export const comparisonSchema = z.strictObject({
  schemaVersion: z.literal(1),
  a: runSchema,
  b: runSchema,
  confidence: shareSchema,
  differences: z.array(textSchema),
  arms: z.array(z.discriminatedUnion('status', [comparedSchema, uncomparedSchema])),
  finding: findingSchema,
}) satisfies z.ZodType<Comparison>;
