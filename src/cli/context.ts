import type { BundledFiles } from '../assembly/bundled-files.ts';

/** What a command gets from the process that runs it. */
export interface CliContext {
  readonly files: BundledFiles;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** A command's work: resolves to the exit status. */
export type Action = (signal: AbortSignal) => Promise<number>;
