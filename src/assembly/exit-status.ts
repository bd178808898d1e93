import { constants } from 'node:os';
import type { Aggregate } from '../domain/aggregate.ts';
import { ActionableError, firstErrorOf } from '../domain/errors.ts';
import { runVerdictOf, type RunVerdict } from '../domain/run-verdict.ts';

/** The exit statuses of the command line, as `--help` and the README list them. */
export const exitStatuses = {
  asExpected: 0,
  notAsExpected: 1,
  badInput: 2,
  incomplete: 3,
  defect: 70,
} as const;

export const exitStatusMeanings: Readonly<Record<keyof typeof exitStatuses, string>> = {
  asExpected: 'everything that ran ended as its scenario expects',
  notAsExpected: 'a trial ended outside its scenario’s expectation',
  badInput: 'bad input, or this machine lacks what was asked for; nothing was left behind',
  incomplete:
    'a trial failed or circumstances drifted, so that an arm or a comparison has no result; `--resume` repeats failed ones',
  defect: 'a defect of this tool: please report it',
};

/** 128 + signal, as a shell reports a command that a signal ended. */
export const interruptedStatus = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

export function statusOfError(error: unknown): number {
  const first = firstErrorOf(error);
  if (!(first instanceof ActionableError)) return exitStatuses.defect;
  return first.kind === 'input' || first.kind === 'requirement' ? exitStatuses.badInput : exitStatuses.incomplete;
}

const statusOfVerdict: Readonly<Record<RunVerdict, number>> = {
  'as-expected': exitStatuses.asExpected,
  'not-as-expected': exitStatuses.notAsExpected,
  incomplete: exitStatuses.incomplete,
};

export const statusOfAggregate = (aggregate: Aggregate): number => statusOfVerdict[runVerdictOf(aggregate)];
