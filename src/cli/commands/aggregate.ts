import type { Command } from 'commander';
import { notMeasured } from '../../domain/measured.ts';
import type { RunFolder } from '../../report/run-folder.ts';
import { openRunFolder } from '../../report/store.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { statusOfAggregate } from '../../assembly/exit-status.ts';
import type { Perform } from '../program.ts';
import { planOfStoredRun } from '../../assembly/prepare-run.ts';
import { openSession } from '../../assembly/session.ts';
import { showResult } from '../show-result.ts';
import { sumUp } from '../../assembly/sum-up.ts';

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
        const session = await openSession(context.files, (text) => void context.stderr.write(`${text}\n`));
        const aggregate = await sumUp(folder, planOfStoredRun(folder, session), await earlierWallSeconds(folder));
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
