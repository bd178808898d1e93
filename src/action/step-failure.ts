import * as core from '@actions/core';
import { ActionableError, describeError } from '../domain/errors.ts';
import type { Aggregate } from '../domain/aggregate.ts';
import { titleOf } from '../report/document/title.ts';
import { Cancelled } from './cancellation.ts';
import type { Journal } from './journal.ts';
import type { FailureRule } from './publication-inputs.ts';
import { failsStep } from './verdict.ts';

/** Fails the step, or not, by what was found and what the workflow asked for. */
export function concludeStep(aggregate: Aggregate, rule: FailureRule): void {
  if (failsStep(aggregate, rule)) core.setFailed(titleOf(aggregate));
}

/** Fails the step because it could not be carried through. What a reader can act on is one line; a defect has a stack. */
export function failStep(error: unknown, journal: Journal): void {
  journal.close();
  core.setOutput('passed', 'false');
  core.setOutput('verdict', 'failed');
  if (error instanceof Error && !(error instanceof ActionableError) && !(error instanceof Cancelled)) {
    journal.write(error.stack ?? error.message);
    journal.write('This is a defect of drainwatch: please report it.');
  }
  core.setFailed(describeError(error));
}
