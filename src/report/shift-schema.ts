import { z } from 'zod';
import type { Shift, WayCount } from '../domain/comparison.ts';
import { countSchema, measuredSchema, textSchema } from './measured-schema.ts';

export const shareSchema = z.number().min(0).max(1);

export const shiftSchema = z.strictObject({
  shift: z.number(),
  interval: z.strictObject({ low: z.number(), high: z.number(), confidence: shareSchema }),
  pValue: shareSchema,
  adjustedPValue: shareSchema,
}) satisfies z.ZodType<Shift>;

export const findingSchema = z.enum(['no-shift', 'shifted', 'undecided']);

/** Fields of a metric that was compared, whatever it was compared in. */
export const judgedShiftShape = {
  floorMs: z.number().min(0).nullable(),
  shift: measuredSchema<Shift>(shiftSchema),
  finding: findingSchema,
  reason: textSchema.nullable(),
  moreRepeats: z.int().min(1).nullable(),
} as const;

export const waysSchema = z.array(
  z.strictObject({ way: textSchema, trials: countSchema }) satisfies z.ZodType<WayCount>,
);
