import { join } from 'node:path';
import type { Command } from 'commander';
import { exitStatuses } from '../../assembly/exit-status.ts';
import { writeCharts } from '../../assembly/write-charts.ts';
import { openStoredRun } from '../../report/store.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import type { Perform } from '../program.ts';

export function addCharts(program: Command, { files, stdout, stderr }: CliContext, perform: Perform): void {
  program
    .command('charts')
    .description('draw the charts of a run as PNG files, for light and for dark pages, and print their paths')
    .argument('<folder>', 'the folder of a run')
    .option('-o, --output <folder>', 'where pictures go (default: charts in the folder of the run)')
    .addHelpText(
      'after',
      examples([
        'drainwatch charts docs/results/standard-kind-v1.34.0 -o pictures',
        'the charts of a committed result',
      ]),
    )
    .action((path: string, options: { readonly output?: string }) => {
      perform(async (signal) => {
        const folder = await openStoredRun(path);
        const output = options.output ?? join(path, 'charts');
        const onFile = (file: string) => void stdout.write(`${file}\n`);
        const written = await writeCharts(folder, { assets: files.charts, output, onFile }, signal);
        if (written.length === 0) stderr.write('drainwatch: no arm of this run is complete, so there is no chart\n');
        return written.length === 0 ? exitStatuses.incomplete : exitStatuses.asExpected;
      });
    });
}
