import { z } from 'zod';
import type { ToolRecord } from '../domain/environment.ts';
import type { Matrix } from '../domain/matrix.ts';
import type { TrialFailure } from '../domain/trial.ts';
import { toolSchema } from './environment-schema.ts';
import { matrixSchema } from './matrix-schema.ts';
import { countSchema, instantSchema, textSchema } from './measured-schema.ts';

/** What a run is, written before anything is measured: enough to resume it. */
export interface RunManifest {
  readonly schemaVersion: 1;
  readonly run: string;
  readonly tool: ToolRecord;
  readonly matrix: Matrix;
  readonly provider: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** What the run was asked for besides its matrix. */
  readonly options: Readonly<Record<string, string | number | boolean | null>>;
}

export const manifestSchema = z.strictObject({
  schemaVersion: z.literal(1),
  run: textSchema,
  tool: toolSchema,
  matrix: matrixSchema,
  provider: textSchema,
  startedAt: instantSchema,
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
}) satisfies z.ZodType<RunManifest>;

export type { TrialFailure };

export interface FailureRecord extends TrialFailure {
  /** 1 for the trial's first failure. */
  readonly attempt: number;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export const failureSchema = z.strictObject({
  trial: textSchema,
  arm: textSchema,
  reason: textSchema,
  unmetRequirement: z.literal(true).exactOptional(),
  attempt: countSchema,
  at: instantSchema,
}) satisfies z.ZodType<FailureRecord>;
