import type { Command } from 'commander';
import type { Aggregate } from '../../domain/aggregate.ts';
import { inputError } from '../../domain/errors.ts';
import { openStoredRun } from '../../report/store.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { statusOfAggregate } from '../../assembly/exit-status.ts';
import { readMatrix, type MatrixFactors } from '../../assembly/matrix-factors.ts';
import { mergeRuns } from '../../assembly/merge-runs.ts';
import { addMatrixOptions } from '../matrix-options.ts';
import type { Perform } from '../program.ts';
import { planOfStoredRun } from '../../assembly/prepare-run.ts';
import { openSession, type Session } from '../../assembly/session.ts';
import { showResult } from '../show-result.ts';
import { sumUp } from '../../assembly/sum-up.ts';

interface AggregateOptions extends MatrixFactors {
  readonly output?: string;
  readonly json?: boolean;
}

export function addAggregate(program: Command, context: CliContext, perform: Perform): void {
  addMatrixOptions(program.command('aggregate'))
    .description(
      'sum up a run’s trials anew: aggregate.json, the CSV files and the table are written from the stored reports; ' +
        'with --output, make one run of several that ran parts of a matrix',
    )
    .argument('<folder...>', 'the folder of a run; with --output, of each part')
    .option('-o, --output <folder>', 'where the merged run goes: a new or empty folder')
    .option('--json', 'print the aggregate as JSON instead of the table')
    .addHelpText(
      'after',
      `\nWith --output the matrix options name the whole matrix: an arm of it that no folder has is discarded.\n` +
        examples(
          [
            'drainwatch aggregate drainwatch-results/2026-11-29-120000-standard-0a1b2c3d',
            'what an interrupted run has so far',
          ],
          ['drainwatch aggregate shards/* -o merged --matrix standard', 'one result of the jobs of a workflow'],
        ),
    )
    .action((paths: readonly string[], options: AggregateOptions) => {
      perform(async () => {
        const session = await openSession(context.files, (text) => void context.stderr.write(`${text}\n`));
        const aggregate = await sumUpOrMerge(paths, options, session);
        showResult(aggregate, context.stdout, { json: options.json === true });
        return statusOfAggregate(aggregate);
      });
    });
}

async function sumUpOrMerge(
  paths: readonly string[],
  { output, ...options }: AggregateOptions,
  session: Session,
): Promise<Aggregate> {
  const isWhole = Object.keys(options).some((name) => name !== 'json');
  if (output !== undefined) {
    const matrix = isWhole ? await readMatrix(options, 'standard', session.files) : undefined;
    const request = { folders: paths, output, ...(matrix === undefined ? {} : { matrix }) };
    return (await mergeRuns(request, session)).aggregate;
  }
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0 || isWhole) {
    throw inputError({
      expected: 'one folder, which keeps its own matrix',
      found: others.length > 0 ? `${paths.length} folders` : 'options of a matrix',
      remedy: 'name with --output where the merged run goes',
    });
  }
  const folder = await openStoredRun(path);
  return sumUp(folder, planOfStoredRun(folder, session), await folder.readWallSeconds());
}
