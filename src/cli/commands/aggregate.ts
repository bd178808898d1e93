import type { Command } from 'commander';
import { notMeasured } from '../../domain/measured.ts';
import { planExperiment } from '../../experiment/plan.ts';
import type { RunFolder } from '../../report/run-folder.ts';
import { openRunFolder } from '../../report/store.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { statusOfAggregate } from '../exit-status.ts';
import { plugIns } from '../plug-ins.ts';
import type { Perform } from '../program.ts';
import { createProviders } from '../providers.ts';
import { openSession } from '../session.ts';
import { showResult } from '../show-result.ts';
import { sumUp } from '../sum-up.ts';

export function addAggregate(program: Command, context: CliContext, perform: Perform): void {
  program
    .command('aggregate')
    .description(
      'sum up a run’s trials anew: aggregate.json, the CSV files and the table are written from the stored reports',
    )
    .argument('<folder>', 'the folder of a run')
    .option('--json', 'print the aggregate as JSON instead of the table')
    .addHelpText(
      'after',
      examples([
        'drainwatch aggregate drainwatch-results/2026-11-29-120000-standard-0a1b2c3d',
        'what an interrupted run has so far',
      ]),
    )
    .action((path: string, options: { readonly json?: boolean }) => {
      perform(async () => {
        const folder = await openRunFolder(path);
        using session = await openSession(context);
        const provider = createProviders(session.providerContext, {}).get(folder.manifest.provider);
        const plan = planExperiment(folder.manifest.matrix, provider, plugIns);
        const aggregate = await sumUp(folder, plan, await earlierWallSeconds(folder));
        showResult(aggregate, context.stdout, { json: options.json === true });
        return statusOfAggregate(aggregate);
      });
    });
}

/** How long the run took is known only to itself: it is carried over from its own aggregate, if that was written. */
const earlierWallSeconds = (folder: RunFolder) =>
  folder.readAggregate().then(
    ({ wallSeconds }) => wallSeconds,
    () => notMeasured('the run was interrupted'),
  );
