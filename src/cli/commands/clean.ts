import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../../assembly/exit-status.ts';
import type { Perform } from '../program.ts';
import { createKind } from '../../assembly/providers.ts';
import { openSession } from '../../assembly/session.ts';

export function addClean(program: Command, context: CliContext, perform: Perform): void {
  program
    .command('clean')
    .description('delete the clusters that killed runs left; `run` does so by itself before it makes one')
    .addHelpText('after', examples(['drainwatch clean', 'after a kill -9']))
    .action(() => {
      perform(async (signal) => {
        const session = await openSession(context.files, (text) => void context.stderr.write(`${text}\n`));
        const deleted = await createKind(session.providerContext, {}).cleanStale(signal);
        context.stdout.write(deleted.length === 0 ? 'nothing was left\n' : `deleted ${deleted.join(', ')}\n`);
        return exitStatuses.asExpected;
      });
    });
}
