/**
 * What went wrong, by who can mend it: `input` the caller, `requirement` the machine's owner, `preflight` a trial
 * that may not start, `harness` a trial that could not be carried through.
 */
export type FailureKind = 'input' | 'requirement' | 'preflight' | 'harness';

/** The three things a reader needs: what should have been true, what was found, what to do. One line each. */
export interface FailureFacts {
  readonly expected: string;
  readonly found: string;
  readonly remedy: string;
}

/** An error whose reader can act on it. Everything else that is thrown is a defect of this project. */
export class ActionableError extends Error {
  override readonly name = 'ActionableError';
  readonly kind: FailureKind;
  readonly facts: FailureFacts;

  constructor(kind: FailureKind, facts: FailureFacts, cause?: unknown) {
    super(`${facts.found}; expected: ${facts.expected}; ${facts.remedy}`, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.facts = facts;
  }
}

export const inputError = (facts: FailureFacts, cause?: unknown) => new ActionableError('input', facts, cause);
export const requirementError = (facts: FailureFacts, cause?: unknown) =>
  new ActionableError('requirement', facts, cause);
export const preflightError = (facts: FailureFacts, cause?: unknown) => new ActionableError('preflight', facts, cause);
export const harnessError = (facts: FailureFacts, cause?: unknown) => new ActionableError('harness', facts, cause);

/** The text of anything thrown, on one line. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
