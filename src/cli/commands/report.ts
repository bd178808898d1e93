import { Option, type Command } from 'commander';
import { openStoredRun } from '../../report/store.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../../assembly/exit-status.ts';
import type { Perform } from '../program.ts';
import { showResult } from '../show-result.ts';

export function addReport(program: Command, { stdout }: CliContext, perform: Perform): void {
  program
    .command('report')
    .description('show the stored result of a run; nothing is computed or written')
    .argument('<folder>', 'the folder of a run')
    .addOption(new Option('--format <form>', 'what to print').choices(['table', 'json']).default('table'))
    .option('--json', 'print the aggregate: as --format json')
    .addHelpText(
      'after',
      examples(
        ['drainwatch report docs/results/standard-kind-v1.34.0', 'the table of a committed result'],
        ['drainwatch report docs/results/standard-kind-v1.34.0 --json', 'for a program'],
      ),
    )
    .action((path: string, options: { readonly format: 'table' | 'json'; readonly json?: boolean }) => {
      perform(async () => {
        const folder = await openStoredRun(path);
        showResult(await folder.readAggregate(), stdout, { json: options.json === true || options.format === 'json' });
        return exitStatuses.asExpected;
      });
    });
}
