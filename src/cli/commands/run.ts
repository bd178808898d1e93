import type { Command } from 'commander';
import { carryOut, defaultFolder, inNewFolder } from '../../assembly/carry-out.ts';
import { statusOfAggregate } from '../../assembly/exit-status.ts';
import type { MatrixFactors } from '../../assembly/matrix-factors.ts';
import { prepareResumption, prepareRun } from '../../assembly/prepare-run.ts';
import { clusterOptions, optionsOfManifest, type RunOptions } from '../../assembly/run-options.ts';
import { openSession } from '../../assembly/session.ts';
import type { Aggregate } from '../../domain/aggregate.ts';
import { inputError } from '../../domain/errors.ts';
import { openRunFolder } from '../../report/store.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { addMatrixOptions } from '../matrix-options.ts';
import type { Perform } from '../program.ts';
import { createProgressView, type ProgressView } from '../progress-view.ts';
import { addProviderOptions } from '../provider-options.ts';
import { showResult } from '../show-result.ts';

interface RunCommandOptions extends MatrixFactors, RunOptions {
  readonly output?: string;
  readonly resume?: string;
  readonly json?: boolean;
  readonly keepEvidence?: boolean;
}

export function addRun(program: Command, context: CliContext, perform: Perform): void {
  addProviderOptions(addMatrixOptions(program.command('run')))
    .description('run a matrix and print its table; each trial is written as it ends')
    .option('-o, --output <folder>', 'where results go: a new or empty folder (default: drainwatch-results/<run>)')
    .option('--resume <folder>', 'go on with an interrupted run: its own matrix and options hold')
    .option('--keep-evidence', 'keep what was captured of every trial, and not only of unexpected ones')
    .option('--json', 'print the aggregate as JSON instead of the table')
    .addHelpText(
      'after',
      examples(
        ['drainwatch run', 'the published 25 trials, on kind where Docker answers'],
        ['drainwatch run --matrix quick --provider kind', 'each scenario once, on one cluster'],
        [
          'drainwatch run --scenarios drain,drain-ready --repeats 3 --grace-period 60',
          'a part, under your grace period',
        ],
        [
          'drainwatch run --provider kubeconfig --context staging --probe-image registry.example/probe',
          'on a cluster of yours',
        ],
        ['drainwatch run --resume drainwatch-results/2026-11-29-120000-standard-0a1b2c3d', 'go on where it stopped'],
      ),
    )
    .action((options: RunCommandOptions, command: Command) => {
      perform(async (signal) => {
        using view = createProgressView(context.stderr);
        const { resume } = options;
        const aggregate =
          resume === undefined
            ? await startRun(options, context, view, signal)
            : await resumeRun(resume, command, context, view, signal);
        view[Symbol.dispose]();
        showResult(aggregate, context.stdout, { json: options.json === true });
        return statusOfAggregate(aggregate);
      });
    });
}

async function startRun(
  options: RunCommandOptions,
  { files }: CliContext,
  view: ProgressView,
  signal: AbortSignal,
): Promise<Aggregate> {
  const session = await openSession(files, view.notice);
  const { plan, provider, manifest } = await prepareRun(options, session, signal);
  const path = options.output ?? defaultFolder(manifest.run);
  return inNewFolder(path, manifest, async (folder) => {
    view.notice(`results go to ${path}`);
    const cluster = clusterOptions(options);
    const keepCaptures = options.keepEvidence === true ? 'always' : 'unexpected';
    return carryOut({ plan, provider, cluster, folder, session, keepCaptures, onProgress: view.show }, signal);
  });
}

async function resumeRun(
  path: string,
  command: Command,
  { files }: CliContext,
  view: ProgressView,
  signal: AbortSignal,
): Promise<Aggregate> {
  refuseOtherOptions(command);
  const folder = await openRunFolder(path);
  const session = await openSession(files, view.notice);
  const options = optionsOfManifest(folder.manifest);
  const { plan, provider } = await prepareResumption(folder, options, session, signal);
  view.notice(`resuming ${path}: ${folder.completed.size} of ${plan.trials} trials are complete`);
  const cluster = clusterOptions(options);
  return carryOut({ plan, provider, cluster, folder, session, onProgress: view.show }, signal);
}

/** A resumed run is the same experiment: nothing of it is set anew. */
function refuseOtherOptions(command: Command): void {
  const other = command.options.find((option) => {
    const name = option.attributeName();
    return !['resume', 'json'].includes(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (other === undefined) return;
  throw inputError({
    expected: 'only --resume, and --json',
    found: `${other.long ?? other.flags} together with --resume`,
    remedy: 'leave it out: a resumed run keeps its own matrix and options',
  });
}
