import type { Command } from 'commander';
import type { Aggregate } from '../../domain/aggregate.ts';
import { requirements } from '../../domain/scenario.ts';
import { fitMatrix } from '../../experiment/fit-matrix.ts';
import { planExperiment } from '../../experiment/plan.ts';
import { openRunFolder } from '../../report/store.ts';
import { carryOut, defaultFolder, inNewFolder } from '../carry-out.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { statusOfAggregate } from '../exit-status.ts';
import { addMatrixOptions, readMatrix, type MatrixOptions } from '../matrix-options.ts';
import { plugIns } from '../plug-ins.ts';
import type { Perform } from '../program.ts';
import { addProviderOptions, type ProviderCommandOptions } from '../provider-options.ts';
import { chooseProvider, createProviders } from '../providers.ts';
import { manifestOptions, optionsOfManifest } from '../resume-options.ts';
import { newRunId } from '../run-id.ts';
import { openSession } from '../session.ts';
import { showResult } from '../show-result.ts';

interface RunOptions extends MatrixOptions, ProviderCommandOptions {
  readonly output?: string;
  readonly resume?: string;
  readonly json?: boolean;
}

export function addRun(program: Command, context: CliContext, perform: Perform): void {
  addProviderOptions(addMatrixOptions(program.command('run')))
    .description('run a matrix and print its table; each trial is written as it ends')
    .option('-o, --output <folder>', 'where results go: a new or empty folder (default: drainwatch-results/<run>)')
    .option('--resume <folder>', 'go on with an interrupted run: its own matrix and options hold')
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
    .action((options: RunOptions, command: Command) => {
      perform(async (signal) => {
        using session = await openSession(context);
        const aggregate =
          options.resume === undefined
            ? await startRun(options, context, session, signal)
            : await resumeRun(options.resume, command, context, session, signal);
        session.view[Symbol.dispose]();
        showResult(aggregate, context.stdout, { json: options.json === true });
        return statusOfAggregate(aggregate);
      });
    });
}

type Session = Awaited<ReturnType<typeof openSession>>;

async function startRun(
  options: RunOptions,
  { files }: CliContext,
  session: Session,
  signal: AbortSignal,
): Promise<Aggregate> {
  const { providerContext, view, tool } = session;
  const providers = createProviders(providerContext, options);
  // names are checked before anything is asked of Docker or a cluster
  if (options.provider !== 'auto') providers.get(options.provider);
  const fallback = options.provider === 'local' ? 'local' : 'standard';
  planExperiment(
    await readMatrix(options, fallback, files),
    { name: 'any', capabilities: new Set(requirements) },
    plugIns,
  );

  const provider = await chooseProvider(options.provider, providers, view.notice, signal);
  const asked = {
    proxyModes: options.proxyModes !== undefined,
    kubernetesVersions: options.kubernetesVersions !== undefined,
  };
  const chosen = await readMatrix(options, provider.name === 'local' ? 'local' : 'standard', files);
  const matrix = fitMatrix(chosen, provider, asked);
  const plan = planExperiment(matrix, provider, plugIns);
  const startedAt = new Date();
  const run = newRunId(matrix.name, startedAt);
  const manifest = {
    schemaVersion: 1,
    run,
    tool,
    matrix,
    provider: provider.name,
    startedAt: startedAt.toISOString(),
    options: manifestOptions(options),
  } as const;
  const path = options.output ?? defaultFolder(run);
  return inNewFolder(path, manifest, async (folder) => {
    view.notice(`results go to ${path}`);
    return carryOut({ plan, provider, cluster: clusterOf(options), folder, files, session }, signal);
  });
}

async function resumeRun(
  path: string,
  command: Command,
  { files }: CliContext,
  session: Session,
  signal: AbortSignal,
): Promise<Aggregate> {
  const folder = await openRunFolder(path);
  const { matrix, provider: name } = folder.manifest;
  const options = optionsOfManifest(folder.manifest, command);
  const provider = await chooseProvider(
    name,
    createProviders(session.providerContext, options),
    session.view.notice,
    signal,
  );
  const plan = planExperiment(matrix, provider, plugIns);
  session.view.notice(`resuming ${path}: ${folder.completed.size} of ${plan.trials} trials are complete`);
  return carryOut({ plan, provider, cluster: clusterOf(options), folder, files, session }, signal);
}

const clusterOf = ({ nodeImage, workers }: Pick<ProviderCommandOptions, 'nodeImage' | 'workers'>) => ({
  workers,
  ...(nodeImage === undefined ? {} : { nodeImage }),
});
