/** What the operating system refused, and in which call. */
export interface SystemError {
  /** As ECONNRESET. */
  readonly code: string;
  /** As `read`. */
  readonly syscall: string;
}

/** Reads the fields that Node gives to errors of the operating system; its own errors have a code and no call. */
export function systemErrorOf(error: Error): SystemError {
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : error.name,
    syscall: 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : 'none',
  };
}

export const describeSystemError = ({ code, syscall }: SystemError): string => `${syscall} ${code}`;
