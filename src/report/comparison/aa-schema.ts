import { z } from 'zod';
import type { AaLevel, AaResult, LevelComparison } from '../../domain/aa-result.ts';
import { countSchema, instantSchema, textSchema } from '../measured-schema.ts';
import { findingSchema } from '../shift-schema.ts';
import { comparisonSchema, pooledSchema } from './schema.ts';

const levelSchema = z.strictObject({
  lanes: z.int().min(1),
  trials: countSchema,
  seconds: z.number().min(0),
}) satisfies z.ZodType<AaLevel>;

const levelComparisonSchema = z.strictObject({
  lanes: z.int().min(1),
  comparison: comparisonSchema,
  pooled: z.array(pooledSchema).exactOptional(),
}) satisfies z.ZodType<LevelComparison>;

export const aaResultSchema = z.strictObject({
  schemaVersion: z.literal(1),
  run: textSchema,
  startedAt: instantSchema,
  repeats: z.int().min(1),
  rounds: z.int().min(1),
  levels: z.array(levelSchema),
  comparisons: z.array(levelComparisonSchema),
  finding: findingSchema,
  cleanUpToLanes: z.int().min(1).nullable(),
}) satisfies z.ZodType<AaResult>;
