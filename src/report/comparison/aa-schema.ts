import { z } from 'zod';
import { unobserved, variedConditions, type LevelConditions } from '../../domain/aa-level.ts';
import type { AaLevel, AaResult, LevelComparison } from '../../domain/aa-result.ts';
import { countSchema, instantSchema, textSchema } from '../measured-schema.ts';
import { findingSchema } from '../shift-schema.ts';
import { comparisonSchema, pooledSchema } from './schema.ts';

/** Results that are older than levels of observing are of trials without it. */
const conditionsShape = {
  lanes: z.int().min(1),
  observing: z.strictObject({ evidence: z.boolean(), newConnectionIntervalMs: z.int().min(0) }).default(unobserved),
} satisfies Record<keyof LevelConditions, z.ZodType>;

const levelSchema = z.strictObject({
  ...conditionsShape,
  trials: countSchema,
  seconds: z.number().min(0),
}) satisfies z.ZodType<AaLevel>;

const levelComparisonSchema = z.strictObject({
  ...conditionsShape,
  comparison: comparisonSchema,
  pooled: z.array(pooledSchema).exactOptional(),
}) satisfies z.ZodType<LevelComparison>;

export const aaResultSchema = z.strictObject({
  schemaVersion: z.literal(1),
  run: textSchema,
  varied: z.enum(variedConditions).default('lanes'),
  startedAt: instantSchema,
  repeats: z.int().min(1),
  rounds: z.int().min(1),
  levels: z.array(levelSchema),
  comparisons: z.array(levelComparisonSchema),
  finding: findingSchema,
  cleanUpToLanes: z.int().min(1).nullable(),
}) satisfies z.ZodType<AaResult>;
