import { z } from 'zod';
import type { WayCount } from '../domain/comparison.ts';
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

const shareSchema = z.number().min(0).max(1);

const shiftSchema = z.strictObject({
  shift: z.number(),
  interval: z.strictObject({ low: z.number(), high: z.number(), confidence: shareSchema }),
  pValue: shareSchema,
  adjustedPValue: shareSchema,
  overallPValue: shareSchema,
}) satisfies z.ZodType<LevelShift>;

const metricSchema = z.strictObject({
  metric: textSchema,
  floorMs: z.number().min(0).nullable(),
  shift: measuredSchema<LevelShift>(shiftSchema),
  finding: z.enum(['no-shift', 'shifted', 'undecided', 'one-sided']),
  reason: textSchema.nullable(),
  moreRepeats: z.int().min(1).nullable(),
}) satisfies z.ZodType<LevelMetric>;

const waysSchema = z.array(z.strictObject({ way: textSchema, trials: countSchema }) satisfies z.ZodType<WayCount>);

const outcomeSchema = z.strictObject({
  aspect: z.enum(outcomeAspects),
  reference: waysSchema,
  level: waysSchema,
  pValue: shareSchema.nullable(),
  adjustedPValue: shareSchema.nullable(),
  finding: z.enum(['no-shift', 'shifted', 'undecided']),
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
