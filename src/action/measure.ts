import { join, resolve } from 'node:path';
import { withAttempt } from '../assembly/attempts.ts';
import type { BundledFiles } from '../assembly/bundled-files.ts';
import { carryOut, defaultFolder, inNewFolder } from '../assembly/carry-out.ts';
import type { MatrixFactors } from '../assembly/matrix-factors.ts';
import { prepareRun } from '../assembly/prepare-run.ts';
import { estimateSeconds } from '../assembly/cost-estimate.ts';
import { duration } from '../assembly/progress-words.ts';
import { clusterOptions, type RunOptions } from '../assembly/run-options.ts';
import { openSession } from '../assembly/session.ts';
import type { Aggregate } from '../domain/aggregate.ts';
import type { ProgressSink } from '../experiment/progress.ts';
import { publishedReference } from '../report/published.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { renderTable } from '../report/table.ts';
import type { Journal } from './journal.ts';
import { createProgressLog } from './progress-log.ts';
import type { RunnerContext } from './runner-context.ts';
import type { StepState } from './step-state.ts';

export interface Measurement {
  readonly options: RunOptions & MatrixFactors;
  readonly outputFolder: string | undefined;
  readonly runner: RunnerContext;
  readonly files: BundledFiles;
  readonly journal: Journal;
  readonly state: StepState;
}

/** Where logs of clusters go, below the folder of the run. */
export const clusterLogsFolder = 'cluster-logs';

/**
 * Runs the matrix. The folder is told to the post step before it is made.
 *
 * @throws {ActionableError} as the command line does; the signal's reason when it is aborted, after everything that was
 * made has been removed
 */
export async function measure(
  { options, outputFolder, runner, files, journal, state }: Measurement,
  signal: AbortSignal,
): Promise<{ readonly aggregate: Aggregate; readonly folder: RunFolder }> {
  const run = { path: '', hasFailed: (): boolean => false };
  const session = await openSession(files, journal.write, {
    // a cancelled step has seconds left, which deleting needs
    clusterLogs: (cluster, moment) =>
      !signal.aborted && (moment === 'not-created' || (moment === 'closing' && run.hasFailed()))
        ? join(run.path, clusterLogsFolder, cluster)
        : undefined,
  });
  const prepared = await journal.group('Plan', async () => {
    const result = await prepareRun(options, session, signal);
    const { matrix, arms, trials, floorSeconds } = result.plan;
    journal.write(`${matrix.name}: ${matrix.description}`);
    for (const { arm, scenario, skip } of arms) journal.write(`  ${arm.id}: ${skip ?? scenario.summary}`);
    journal.write(
      `${trials} trials on provider ${result.provider.name}; the waiting alone takes ${duration(floorSeconds)}, all of it about ${duration(estimateSeconds(result.plan))}`,
    );
    return result;
  });
  const { plan, provider } = prepared;
  const manifest = withAttempt(prepared.manifest, runner.attempt);
  run.path = resolve(runner.workspace, outputFolder ?? defaultFolder(manifest.run));
  state.set('report-folder', run.path);
  const progress = createProgressLog(plan, journal);
  run.hasFailed = progress.hasFailed;
  const onProgress: ProgressSink = (event) => {
    // the workloads of a cluster have its name without its number
    if (event.kind === 'cluster-opening') state.set('workloads', event.cluster.replace(/-\d+$/, ''));
    progress.show(event);
  };
  const result = await inNewFolder(run.path, manifest, async (folder) => {
    const work = { plan, provider, cluster: clusterOptions(options), folder, session, onProgress };
    try {
      return { aggregate: await carryOut(work, signal), folder };
    } finally {
      journal.close();
    }
  });
  const table = renderTable(result.aggregate, { width: 120, color: false, published: publishedReference() });
  journal.write(table);
  return result;
}
