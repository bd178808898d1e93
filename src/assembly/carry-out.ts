import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Aggregate } from '../domain/aggregate.ts';
import type { ClusterSpec, Provider } from '../domain/cluster.ts';
import { firstErrorOf, isActionable } from '../domain/errors.ts';
import { measured, notMeasured } from '../domain/measured.ts';
import type { Plan } from '../experiment/plan.ts';
import type { ProgressSink } from '../experiment/progress.ts';
import { runExperiment } from '../experiment/run-experiment.ts';
import { createFlowClient } from '../flows/flow-client.ts';
import { createNewConnectionClient } from '../flows/new-connections/new-connection-client.ts';
import { watchHostLoad } from '../host/host-load.ts';
import { measureTrial } from '../metrics/measure-trial.ts';
import type { RunManifest } from '../report/manifest.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { createRunFolder } from '../report/store.ts';
import { openCommandLog } from './command-log.ts';
import type { Session } from './session.ts';
import { sumUp } from './sum-up.ts';

export interface CarryOut {
  readonly plan: Plan;
  readonly provider: Provider;
  readonly cluster: Pick<ClusterSpec, 'nodeImage' | 'workers'>;
  readonly folder: RunFolder;
  readonly session: Session;
  /** Of which trials captures are kept; of the unexpected ones, by default. */
  readonly keepCaptures?: 'unexpected' | 'always';
  readonly onProgress: ProgressSink;
}

/** Runs what the folder lacks of the plan, then sums up all that it holds: the aggregate is written before it is judged. */
export async function carryOut(work: CarryOut, signal: AbortSignal): Promise<Aggregate> {
  const { plan, provider, cluster, folder, session, onProgress } = work;
  const began = performance.now();
  const resumed = folder.completed.size > 0;
  const flowClient = createFlowClient({ workerFile: session.files.flowWorker });
  const newConnectionClient = createNewConnectionClient({ workerFile: session.files.newConnectionsWorker });
  {
    using hostLoad = watchHostLoad();
    await using log = openCommandLog(folder.commandsPath);
    session.keepCommands(log.keep);
    const runId = randomBytes(4).toString('hex');
    const experiment = {
      plan,
      runId,
      provider,
      cluster,
      flowClient,
      newConnectionClient,
      hostLoad,
      store: folder,
      measure: measureTrial,
      keepCaptures: work.keepCaptures ?? 'unexpected',
      onProgress,
    };
    try {
      await runExperiment(experiment, signal);
    } catch (error) {
      if (signal.aborted) tellResumption(folder, plan, session.notice);
      throw error;
    }
  }
  const seconds = (performance.now() - began) / 1000;
  const wall = resumed ? notMeasured('the run was resumed: its parts lie apart in time') : measured(seconds);
  return sumUp(folder, plan, wall);
}

/**
 * Makes the folder of a new run and works in it. When bad input ends the run before anything was measured, whatever was
 * made of the folder is removed again.
 */
export async function inNewFolder<T>(
  path: string,
  manifest: RunManifest,
  work: (folder: RunFolder) => Promise<T>,
): Promise<T> {
  const folder = await createRunFolder(path, manifest);
  try {
    return await work(folder);
  } catch (error) {
    const isRefused = isActionable(firstErrorOf(error), 'input', 'requirement');
    if (isRefused && folder.completed.size === 0 && (await folder.readFailures()).length === 0) await folder.discard();
    throw error;
  }
}

const tellResumption = ({ completed, path }: RunFolder, { trials }: Plan, notice: (text: string) => void) => {
  notice(`${completed.size} of ${trials} trials are kept; go on with: run --resume ${path}`);
};

export const defaultFolder = (run: string): string => join('drainwatch-results', run);
