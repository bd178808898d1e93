import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../../assembly/exit-status.ts';
import type { Perform } from '../program.ts';
import { createKind, createKubeconfig } from '../../assembly/providers.ts';
import { openSession } from '../../assembly/session.ts';

interface CleanOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

export function addClean(program: Command, context: CliContext, perform: Perform): void {
  program
    .command('clean')
    .description(
      'delete what killed runs left: kind clusters, and what they made in an existing cluster that is named; `run` does so by itself before it makes anything',
    )
    .option('--kubeconfig <file>', 'also in this cluster (default with --context: $KUBECONFIG, ~/.kube/config)')
    .option('--context <name>', 'also in the cluster of this context')
    .option('--namespace <name>', 'there, in this namespace instead of namespaces of their own')
    .addHelpText(
      'after',
      examples(
        ['drainwatch clean', 'after a kill -9'],
        ['drainwatch clean --context staging', 'after one of a run on a cluster of yours'],
      ),
    )
    .action((options: CleanOptions) => {
      perform(async (signal) => {
        const session = await openSession(context.files, (text) => void context.stderr.write(`${text}\n`));
        const deleted = [...(await createKind(session.providerContext, {}).cleanStale(signal))];
        if (Object.keys(options).length > 0) {
          deleted.push(...(await createKubeconfig(session.providerContext, options).cleanStale(signal)));
        }
        context.stdout.write(deleted.length === 0 ? 'nothing was left\n' : `deleted ${deleted.join(', ')}\n`);
        return exitStatuses.asExpected;
      });
    });
}
