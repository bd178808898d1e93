import { z } from 'zod';
import {
  factors,
  outcomeAspects,
  type LevelComparison,
  type LevelDifference,
  type LevelMetric,
  type LevelOutcome,
  type LevelRow,
  type LevelShift,
} from '../domain/level-comparison.ts';
import { countSchema, measuredSchema, textSchema } from './measured-schema.ts';
import { findingSchema, judgedShiftShape, shareSchema, shiftSchema, waysSchema } from './shift-schema.ts';

const levelShiftSchema = shiftSchema.extend({ overallPValue: shareSchema }) satisfies z.ZodType<LevelShift>;

const metricSchema = z.strictObject({
  metric: textSchema,
  ...judgedShiftShape,
  shift: measuredSchema<LevelShift>(levelShiftSchema),
  finding: z.enum([...findingSchema.options, 'one-sided']),
}) satisfies z.ZodType<LevelMetric>;

const outcomeSchema = z.strictObject({
  aspect: z.enum(outcomeAspects),
  reference: waysSchema,
  level: waysSchema,
  pValue: shareSchema.nullable(),
  adjustedPValue: shareSchema.nullable(),
  finding: findingSchema,
}) satisfies z.ZodType<LevelOutcome>;

const differenceSchema = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('compared'),
    level: textSchema,
    repeats: z.strictObject({ reference: countSchema, level: countSchema }),
    outcomes: z.array(outcomeSchema),
    metrics: z.array(metricSchema),
  }),
  z.strictObject({ status: z.literal('not-compared'), level: textSchema, reason: textSchema }),
]) satisfies z.ZodType<LevelDifference>;

const rowSchema = z.strictObject({
  scenario: textSchema,
  label: textSchema,
  arms: z.array(z.strictObject({ level: textSchema, arm: textSchema })),
  against: z.array(differenceSchema),
}) satisfies z.ZodType<LevelRow>;

export const levelComparisonSchema = z.strictObject({
  factor: z.enum(factors),
  levels: z.array(textSchema),
  reference: textSchema,
  confidence: shareSchema,
  tests: countSchema,
  alsoDiffer: z.array(textSchema),
  rows: z.array(rowSchema),
}) satisfies z.ZodType<LevelComparison>;
