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

/** What a failed clean-up hides behind itself: the error that came first is `suppressed` (ECMA-262, SuppressedError). */
interface Suppressing {
  readonly error: unknown;
  readonly suppressed: unknown;
}

// the name is all that Node.js 20 and its ponyfills have in common
const isSuppressing = (error: unknown): error is Error & Suppressing =>
  error instanceof Error && error.name === 'SuppressedError' && 'error' in error && 'suppressed' in error;

/** Everything that went wrong, in the order in which it did: the first error, then those of the clean-up after it. */
export const errorsOf = (error: unknown): readonly unknown[] =>
  isSuppressing(error) ? [...errorsOf(error.suppressed), ...errorsOf(error.error)] : [error];

/** The error that came first: it decides what a failure is. */
export const firstErrorOf = (error: unknown): unknown => errorsOf(error)[0];

export const isActionable = (error: unknown, ...kinds: readonly FailureKind[]): error is ActionableError =>
  error instanceof ActionableError && kinds.includes(error.kind);

/** The text of anything thrown, on one line. */
export function describeError(error: unknown): string {
  const texts = errorsOf(error).map((each) => (each instanceof Error ? each.message : String(each)));
  return texts
    .join('; and then, while cleaning up: ')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}
