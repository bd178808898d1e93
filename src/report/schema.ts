import type { Aggregate } from '../domain/aggregate.ts';
import type { TrialReport } from '../domain/trial.ts';
import { aggregateSchema } from './aggregate-schema.ts';
import { parseJson } from './parse.ts';
import { trialReportSchema } from './trial-schema.ts';

const remedy = 'restore the file, or measure again with this version';

/** @throws {ActionableError} of kind `input`, one line that names the file and the field. */
export const parseTrialReport = (json: string, path: string): TrialReport =>
  parseJson(trialReportSchema, json, { path, remedy });

/** @throws {ActionableError} of kind `input`, one line that names the file and the field. */
export const parseAggregate = (json: string, path: string): Aggregate =>
  parseJson(aggregateSchema, json, { path, remedy });
