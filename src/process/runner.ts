import { execa, type Options, type Result } from 'execa';
import { commandFailure, unstartable } from './command-failure.ts';
import type { CommandEntry, Runner } from './command.ts';
import { endGroup, signalGroup } from './process-group.ts';
import { graceMs, watchOver } from './watch-over.ts';

export type * from './command.ts';

// execa's own kills reach the child only, so ending is left to the group's functions
const common = {
  detached: true,
  cleanup: false,
  forceKillAfterDelay: false,
  reject: false,
} as const satisfies Options;

/** Calls back with each line; a stream that nobody reads is not captured at all. */
const lineSink = (onLine: ((line: string) => void) | undefined) =>
  onLine === undefined
    ? 'ignore'
    : function* (line: unknown) {
        onLine(String(line));
        yield* [];
      };

type Ended = Pick<Result, 'exitCode' | 'signal' | 'durationMs'>;

export function createRunner({ log }: { readonly log: (entry: CommandEntry) => void }): Runner {
  const record = (argv: readonly string[], startedAt: Date, { exitCode, signal, durationMs }: Ended) => {
    log({
      argv,
      startedAt: startedAt.toISOString(),
      durationMs,
      exitCode: exitCode ?? null,
      signal: signal ?? null,
    });
  };

  return {
    async run(file, args, options = {}) {
      const { signal, timeoutMs, input, env = {}, okExitCodes = [0], onSpawn } = options;
      signal?.throwIfAborted();
      const startedAt = new Date();
      const child = execa(file, args, { ...common, ...(input === undefined ? { stdin: 'ignore' } : { input }), env });
      const watch = watchOver(child.pid, { signal, timeoutMs });
      try {
        if (child.pid !== undefined) onSpawn?.(child.pid);
      } catch (error) {
        watch.interrupt();
        await child;
        await watch.settle();
        throw error;
      }
      const result = await child;
      await watch.settle();
      record([file, ...args], startedAt, result);
      signal?.throwIfAborted();
      const { stdout, stderr, exitCode, durationMs } = result;
      const interrupted = watch.interruption() !== undefined;
      if (interrupted || exitCode === undefined || !okExitCodes.includes(exitCode)) {
        throw commandFailure(file, args, result, interrupted ? timeoutMs : undefined);
      }
      return { stdout, stderr, exitCode, durationMs };
    },

    start(file, args, options = {}) {
      const { signal, env = {}, onStdoutLine, onStderrLine, stdin = 'ignore' } = options;
      signal?.throwIfAborted();
      const startedAt = new Date();
      const child = execa(file, args, {
        ...common,
        buffer: false,
        stdin,
        stdout: lineSink(onStdoutLine),
        stderr: lineSink(onStderrLine),
        env,
      });
      const { pid } = child;
      const watch = watchOver(pid, { signal });
      let gone = false;
      const exited = child.then(async (result) => {
        await watch.settle();
        // a group that is empty now may be a stranger's by the time of disposal
        gone = pid === undefined || !signalGroup(pid, 0);
        record([file, ...args], startedAt, result);
        return { exitCode: result.exitCode ?? null, signal: result.signal ?? null };
      });
      if (pid === undefined) throw unstartable(file, undefined);
      return {
        pid,
        kill: (name) => child.kill(name),
        endInput: () => child.stdin?.end(),
        exited,
        async [Symbol.asyncDispose]() {
          if (!gone) await endGroup(pid, graceMs);
          await exited;
        },
      };
    },
  };
}
