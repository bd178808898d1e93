import { z } from 'zod';
import type { Measured } from '../domain/measured.ts';
import type { Precision, TimelinePoint } from '../domain/time.ts';

/** A word or a sentence that must say something. */
export const textSchema = z.string().min(1, 'a text that is not empty');

export const countSchema = z.int().min(0, 'a whole number, 0 or more');

/** An instant as ISO 8601 in UTC. */
export const instantSchema = z.iso.datetime('an instant such as 2026-09-01T12:00:00.000Z');

export const measuredSchema = <T>(value: z.ZodType<T>): z.ZodType<Measured<T>> =>
  z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('measured'), value }),
    z.strictObject({ status: z.literal('not-measured'), reason: textSchema }),
  ]);

export const precisionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('exact') }),
  z.strictObject({ kind: z.literal('upper-bound') }),
  z.strictObject({ kind: z.literal('bounded'), earlyMs: z.number().min(0), lateMs: z.number().min(0) }),
]) satisfies z.ZodType<Precision>;

export const timelinePointSchema = z.strictObject({
  tMs: z.number(),
  precision: precisionSchema,
}) satisfies z.ZodType<TimelinePoint>;
