import { z } from 'zod';
import type {
  ComparedArm,
  ComparedRun,
  Comparison,
  MetricComparison,
  OutcomeDifference,
  PooledMetric,
  Shift,
  UncomparedArm,
} from '../../domain/comparison.ts';
import { summarySchema } from '../aggregate-schema.ts';
import { countSchema, measuredSchema, textSchema } from '../measured-schema.ts';
import { armSchema } from '../trial-schema.ts';

const shareSchema = z.number().min(0).max(1);

const shiftSchema = z.strictObject({
  shift: z.number(),
  interval: z.strictObject({ low: z.number(), high: z.number(), confidence: shareSchema }),
  pValue: shareSchema,
  adjustedPValue: shareSchema,
}) satisfies z.ZodType<Shift>;

export const findingSchema = z.enum(['no-shift', 'shifted', 'undecided']);

const metricSchema = z.strictObject({
  metric: textSchema,
  a: measuredSchema(summarySchema),
  b: measuredSchema(summarySchema),
  floorMs: z.number().min(0).nullable(),
  shift: measuredSchema<Shift>(shiftSchema),
  finding: findingSchema,
  reason: textSchema.nullable(),
  moreRepeats: z.int().min(1).nullable(),
}) satisfies z.ZodType<MetricComparison>;

export const pooledSchema = z.strictObject({
  metric: textSchema,
  arms: countSchema,
  sizes: z.strictObject({ a: countSchema, b: countSchema }),
  floorMs: z.number().min(0).nullable(),
  shift: measuredSchema<Shift>(shiftSchema),
  finding: findingSchema,
  reason: textSchema.nullable(),
  moreRepeats: z.int().min(1).nullable(),
}) satisfies z.ZodType<PooledMetric>;

const waysSchema = z.array(z.strictObject({ way: textSchema, trials: countSchema }));

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
