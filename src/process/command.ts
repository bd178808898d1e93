/**
 * A command that ended, for the log. Neither the environment nor input or output are part of it: those may hold
 * secrets, and no secret is ever passed as an argument.
 */
export interface CommandEntry {
  readonly argv: readonly string[];
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null when a signal ended it or it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface CommandResult {
  /** Without the final newline. */
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly durationMs: number;
}

export interface RunOptions {
  /** Ends the command and its children. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Written to standard input, which is empty without it. */
  readonly input?: string | undefined;
  /** Added to this process's environment; an undefined value removes the variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Exit codes that are an answer and no failure; only 0 by default. */
  readonly okExitCodes?: readonly number[] | undefined;
  /** Called once, synchronously after the spawn. */
  readonly onSpawn?: ((pid: number) => void) | undefined;
}

export interface StartOptions {
  /** Ends the process and its children. */
  readonly signal?: AbortSignal | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onStdoutLine?: ((line: string) => void) | undefined;
  readonly onStderrLine?: ((line: string) => void) | undefined;
  /** `pipe` holds standard input open for as long as this process lives; `ignore` by default. */
  readonly stdin?: 'pipe' | 'ignore' | undefined;
}

/** How a process ended. Exactly one of the two is null, or both when it never truly started. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A long-running process. Disposing ends it and its children and waits for its end. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  /** Sends exactly this signal, to the process alone; nothing follows it up. False when the process has ended. */
  kill(signal: NodeJS.Signals): boolean;
  /** Ends its standard input, where that is a pipe. */
  endInput(): void;
  /** Settles once the process ended and its output was read; never rejects. */
  readonly exited: Promise<ProcessExit>;
}

/**
 * Runs programs, without a shell. Each leads a process group of its own: a Ctrl-C in the terminal reaches this process
 * only, which then decides in what order things end, and ending a command ends its children too. No group outlives
 * this process, unless by SIGKILL.
 */
export interface Runner {
  /**
   * Runs to the end.
   * @throws {ActionableError} of kind `requirement` when the program is missing, `harness` when it fails or takes too
   * long; `cause` is execa's error, which holds the output. An abort rejects with the signal's own reason instead.
   */
  run(file: string, args: readonly string[], options?: RunOptions): Promise<CommandResult>;
  /** @throws {ActionableError} of kind `requirement` when the program can't be started; the reason of an aborted signal. */
  start(file: string, args: readonly string[], options?: StartOptions): RunningProcess;
}
