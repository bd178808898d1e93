import type { Result } from 'execa';
import { ActionableError, describeError, harnessError, requirementError } from '../domain/errors.ts';

type FailedResult = Pick<Result, 'code' | 'exitCode' | 'signal' | 'stderr' | 'stdout' | 'shortMessage' | 'cause'>;

/** The line of a command's output that says why it failed: the first that speaks of an error, else the last. */
function complaintOf({ stderr, stdout }: FailedResult): string | undefined {
  const texts = [stderr, stdout].filter((text) => typeof text === 'string');
  const lines = texts
    .map((text) => text.trim())
    .find((text) => text !== '')
    ?.split('\n');
  return lines?.find((line) => /\berror\b/i.test(line)) ?? lines?.at(-1);
}

function endOf({ exitCode, signal }: FailedResult, timeoutMs: number | undefined): string {
  if (timeoutMs !== undefined) return `had not ended after ${timeoutMs} ms`;
  if (exitCode !== undefined) return `exited with ${exitCode}`;
  return signal === undefined ? 'failed' : `was ended by ${signal}`;
}

/** A program that is not there, or can't be executed. */
export const unstartable = (file: string, cause: unknown): ActionableError =>
  requirementError(
    {
      expected: `${file} can be executed`,
      found: `${file} could not be started`,
      remedy: `install ${file}, or put its folder on PATH`,
    },
    cause,
  );

/** `result` is execa's, of a run that is not accepted; `timeoutMs` is set when it was ended for taking too long. */
export function commandFailure(
  file: string,
  args: readonly string[],
  result: FailedResult,
  timeoutMs: number | undefined,
): ActionableError {
  if (result.code === 'ENOENT' || result.code === 'EACCES') return unstartable(file, result);
  const command = [file, ...args].join(' ');
  const complaint = complaintOf(result);
  return harnessError(
    {
      expected: `\`${command}\` succeeds`,
      found: `\`${command}\` ${endOf(result, timeoutMs)}${complaint === undefined ? '' : `: ${complaint}`}`,
      remedy: 'look at its output, which the log and the cause of this error hold',
    },
    result,
  );
}

/** What was found, of a failed command that something larger failed by; of anything else that was thrown, its text. */
export const whatFailed = (error: unknown): string =>
  error instanceof ActionableError ? error.facts.found : describeError(error);
