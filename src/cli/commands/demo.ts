import type { Command } from 'commander';
import { planExperiment } from '../../experiment/plan.ts';
import { carryOut, defaultFolder, inNewFolder } from '../carry-out.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { statusOfAggregate } from '../exit-status.ts';
import { readMatrix } from '../matrix-options.ts';
import { plugIns } from '../plug-ins.ts';
import type { Perform } from '../program.ts';
import { createProviders } from '../providers.ts';
import { newRunId } from '../run-id.ts';
import { openSession } from '../session.ts';
import { showResult } from '../show-result.ts';

export function addDemo(program: Command, context: CliContext, perform: Perform): void {
  program
    .command('demo')
    .description(
      'one trial each of exit-now, drain and ignore on a plain process, in under a minute; needs no Docker and no cluster',
    )
    .option('-o, --output <folder>', 'where results go: a new or empty folder (default: drainwatch-results/<run>)')
    .option('--json', 'print the aggregate as JSON instead of the table')
    .addHelpText('after', examples(['drainwatch demo', 'see what the table looks like, with a grace period of 8 s']))
    .action((options: { readonly output?: string; readonly json?: boolean }) => {
      perform(async (signal) => {
        using session = await openSession(context);
        const { files } = context;
        const provider = createProviders(session.providerContext, {}).get('local');
        const matrix = await readMatrix({}, 'demo', files);
        const plan = planExperiment(matrix, provider, plugIns);
        const startedAt = new Date();
        const run = newRunId(matrix.name, startedAt);
        const manifest = {
          schemaVersion: 1,
          run,
          tool: session.tool,
          matrix,
          provider: provider.name,
          startedAt: startedAt.toISOString(),
          options: {},
        } as const;
        const path = options.output ?? defaultFolder(run);
        const aggregate = await inNewFolder(path, manifest, (folder) => {
          session.view.notice(`results go to ${path}`);
          return carryOut({ plan, provider, cluster: { workers: 1 }, folder, files, session }, signal);
        });
        session.view[Symbol.dispose]();
        showResult(aggregate, context.stdout, { json: options.json === true });
        return statusOfAggregate(aggregate);
      });
    });
}
