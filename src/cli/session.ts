import type { ToolRecord } from '../domain/environment.ts';
import { createRunner, type CommandEntry } from '../process/runner.ts';
import type { CliContext } from './context.ts';
import { createProgressView, type ProgressView } from './progress-view.ts';
import type { ProviderContext } from './providers.ts';
import { readToolRecord } from './tool-record.ts';

/** What every command that touches this machine shares. */
export interface Session extends Disposable {
  readonly tool: ToolRecord;
  readonly view: ProgressView;
  readonly providerContext: ProviderContext;
  /** From now on each external command is told to `keep`, starting with those that ran already. */
  keepCommands(keep: (entry: CommandEntry) => void): void;
}

export async function openSession({ files, stderr }: CliContext): Promise<Session> {
  const early: CommandEntry[] = [];
  let log: (entry: CommandEntry) => void = (entry) => void early.push(entry);
  const runner = createRunner({
    log: (entry) => {
      log(entry);
    },
  });
  const tool = await readToolRecord(runner, files);
  const view = createProgressView(stderr);
  return {
    tool,
    view,
    providerContext: { runner, tool, files, notice: view.notice },
    keepCommands(keep) {
      for (const entry of early.splice(0)) keep(entry);
      log = keep;
    },
    [Symbol.dispose]() {
      view[Symbol.dispose]();
    },
  };
}
