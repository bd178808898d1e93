import type { Command } from 'commander';
import { exitStatuses } from '../../assembly/exit-status.ts';
import { openSession } from '../../assembly/session.ts';
import { createDocker } from '../../providers/kind/docker.ts';
import { buildProbeImage } from '../../providers/kind/probe-image.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import type { Perform } from '../program.ts';

export function addProbeImage(program: Command, { files, stdout, stderr }: CliContext, perform: Perform): void {
  program
    .command('probe-image')
    .description('build the probe’s image in Docker, of this machine’s Node.js and without a pull, and print its name')
    .option('--tag <reference>', 'a name to give it besides its own')
    .addHelpText(
      'after',
      examples([
        'docker push "$(drainwatch probe-image --tag registry.example/drainwatch-probe:1)"',
        'for a cluster that is not kind',
      ]),
    )
    .action(({ tag }: { readonly tag?: string }) => {
      perform(async (signal) => {
        const { providerContext } = await openSession(files, (text) => void stderr.write(`${text}\n`));
        const { runner } = providerContext;
        const { reference } = await buildProbeImage({ runner, probeBundle: files.probe }, signal);
        if (tag !== undefined) await createDocker(runner, process.env)(['tag', reference, tag], { signal });
        stdout.write(`${tag ?? reference}\n`);
        return exitStatuses.asExpected;
      });
    });
}
