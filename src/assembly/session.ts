import type { ToolRecord } from '../domain/environment.ts';
import { createRunner, type CommandEntry } from '../process/runner.ts';
import type { BundledFiles } from './bundled-files.ts';
import type { ProviderContext } from './providers.ts';
import { readToolRecord } from './tool-record.ts';

/** What everything that touches this machine shares. */
export interface Session {
  readonly tool: ToolRecord;
  readonly files: BundledFiles;
  readonly notice: (text: string) => void;
  readonly providerContext: ProviderContext;
  /** From now on each external command is told to `keep`, starting with those that ran already. */
  keepCommands(keep: (entry: CommandEntry) => void): void;
}

export async function openSession(
  files: BundledFiles,
  notice: (text: string) => void,
  others: Pick<ProviderContext, 'clusterLogs'> = {},
): Promise<Session> {
  const early: CommandEntry[] = [];
  let log: (entry: CommandEntry) => void = (entry) => void early.push(entry);
  const runner = createRunner({
    log: (entry) => {
      log(entry);
    },
  });
  const tool = await readToolRecord(runner, files);
  return {
    tool,
    files,
    notice,
    providerContext: { ...others, runner, tool, files, notice },
    keepCommands(keep) {
      for (const entry of early.splice(0)) keep(entry);
      log = keep;
    },
  };
}
