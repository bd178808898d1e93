import type { Command } from 'commander';
import { carryOut, defaultFolder, inNewFolder } from '../../assembly/carry-out.ts';
import { statusOfAggregate } from '../../assembly/exit-status.ts';
import type { MatrixFactors } from '../../assembly/matrix-factors.ts';
import { prepareRun } from '../../assembly/prepare-run.ts';
import { clusterOptions } from '../../assembly/run-options.ts';
import { openSession } from '../../assembly/session.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { newConnections } from '../matrix-options.ts';
import type { Perform } from '../program.ts';
import { createProgressView } from '../progress-view.ts';
import { showResult } from '../show-result.ts';

const demo = { matrix: 'demo', provider: 'local', workers: 1 } as const;

interface DemoOptions extends Pick<MatrixFactors, 'newConnections'> {
  readonly output?: string;
  readonly json?: boolean;
}

export function addDemo(program: Command, context: CliContext, perform: Perform): void {
  program
    .command('demo')
    .description(
      'one trial each of exit-now, drain and ignore on a plain process, in under a minute; needs no Docker and no cluster',
    )
    .option('-o, --output <folder>', 'where results go: a new or empty folder (default: drainwatch-results/<run>)')
    .addOption(newConnections())
    .option('--json', 'print the aggregate as JSON instead of the table')
    .addHelpText('after', examples(['drainwatch demo', 'see what the table looks like, with a grace period of 8 s']))
    .action(({ output, json, ...factors }: DemoOptions) => {
      perform(async (signal) => {
        using view = createProgressView(context.stderr);
        const session = await openSession(context.files, view.notice);
        const { plan, provider, manifest } = await prepareRun({ ...demo, ...factors }, session, signal);
        const path = output ?? defaultFolder(manifest.run);
        const aggregate = await inNewFolder(path, manifest, (folder) => {
          view.notice(`results go to ${path}`);
          const cluster = clusterOptions(demo);
          return carryOut({ plan, provider, cluster, folder, session, onProgress: view.show }, signal);
        });
        view[Symbol.dispose]();
        showResult(aggregate, context.stdout, { json: json === true });
        return statusOfAggregate(aggregate);
      });
    });
}
