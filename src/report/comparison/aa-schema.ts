import { z } from 'zod';
import type { AaLevel, AaResult } from '../../domain/aa-result.ts';
import { countSchema, instantSchema, textSchema } from '../measured-schema.ts';
import { comparisonSchema, findingSchema } from './schema.ts';

const levelSchema = z.strictObject({
  lanes: z.int().min(1),
  trials: countSchema,
  seconds: z.number().min(0),
}) satisfies z.ZodType<AaLevel>;

export const aaResultSchema = z.strictObject({
  schemaVersion: z.literal(1),
  run: textSchema,
  startedAt: instantSchema,
  repeats: z.int().min(1),
  rounds: z.int().min(1),
  levels: z.array(levelSchema),
  comparisons: z.array(z.strictObject({ lanes: z.int().min(1), comparison: comparisonSchema })),
  finding: findingSchema,
  cleanUpToLanes: z.int().min(1).nullable(),
}) satisfies z.ZodType<AaResult>;
