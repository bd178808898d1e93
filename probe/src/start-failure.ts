/** The probe can't start as it was told to: its message is the one line on standard error, the exit status is 2. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';

  constructor(message: string, cause?: unknown) {
    super(message.replaceAll(/\s*\n\s*/g, ' '), cause === undefined ? {} : { cause });
  }
}

export const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the operating system, or Node.js, gave this code as the reason. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
