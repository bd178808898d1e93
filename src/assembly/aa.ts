import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { aaFinding, cleanUpTo, type AaResult, type LevelComparison } from '../domain/aa-result.ts';
import { inputError } from '../domain/errors.ts';
import { notMeasured } from '../domain/measured.ts';
import { planExperiment, type Plan } from '../experiment/plan.ts';
import type { ProgressSink } from '../experiment/progress.ts';
import { createFlowClient } from '../flows/flow-client.ts';
import { createNewConnectionClient } from '../flows/new-connections/new-connection-client.ts';
import { watchHostLoad } from '../host/host-load.ts';
import { measureTrial } from '../metrics/measure-trial.ts';
import { aaResultSchema } from '../report/comparison/aa-schema.ts';
import { writeAaResult } from '../report/comparison/aa-markdown.ts';
import { numbered } from '../report/numbered-files.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { writeAtomic } from '../report/write-atomic.ts';
import { poolArms } from '../stats/pool-arms.ts';
import { aaBlocks } from './aa-blocks.ts';
import { runBlocks } from './aa-course.ts';
import { inNewFolder } from './carry-out.ts';
import { openCommandLog } from './command-log.ts';
import { compareRuns } from './compare-runs.ts';
import type { MatrixFactors } from './matrix-factors.ts';
import { plugIns } from './plug-ins.ts';
import { prepareRun, type PreparedRun } from './prepare-run.ts';
import { clusterOptions, type RunOptions } from './run-options.ts';
import type { Session } from './session.ts';
import { sumUp } from './sum-up.ts';

export interface AaOptions extends RunOptions, MatrixFactors {
  /** How many trials run at once, a level each; the first is the reference. */
  readonly levels: readonly number[];
}

export interface AaRequest {
  readonly options: AaOptions;
  /** A new or empty folder, chosen from the run's name. */
  readonly outputOf: (run: string) => string;
  readonly session: Session;
  readonly onProgress: ProgressSink;
}

interface LevelFolder {
  readonly lanes: number;
  readonly plan: Plan;
  readonly folder: RunFolder;
}

/**
 * Runs the same trials at several levels of concurrency, in turns on one cluster, and compares each level with the first.
 * Each level is a run of its own in `level-<lanes>`; `comparison.json` and `comparison.md` are written beside them.
 *
 * @throws {ActionableError} of kind `input` when the matrix needs more than one cluster, or the levels don't fit it.
 */
export async function proveConcurrency(request: AaRequest, signal: AbortSignal): Promise<AaResult> {
  const { options, session, outputOf } = request;
  const highest = Math.max(...options.levels);
  const asked = { ...options, clusterReuse: 'shared', concurrency: highest } as const;
  const prepared = await prepareRun(asked, session, signal);
  const arms = prepared.plan.arms.filter(({ skip }) => skip === null);
  const { repeats } = prepared.plan.matrix;
  const blocks = aaBlocks({ levels: options.levels, arms: arms.length, repeats });
  const group = onlyGroup(prepared.plan);
  const path = outputOf(prepared.manifest.run);
  session.notice(`results go to ${path}`);
  return inLevelFolders(options.levels, path, prepared, async (folders) => {
    const seconds = await measureLevels(folders, path, { ...request, group, blocks, prepared }, signal);
    return conclude(folders, path, {
      run: prepared.manifest.run,
      startedAt: prepared.manifest.startedAt,
      repeats,
      rounds: Math.max(...blocks.map(({ round }) => round)),
      seconds,
    });
  });
}

function onlyGroup({ groups }: Plan) {
  const [group, ...others] = groups;
  if (group !== undefined && others.length === 0) return group;
  throw inputError({
    expected: 'one cluster, on which all levels run',
    found: `a matrix of ${groups.length}`,
    remedy: 'name one of --proxy-modes, and one of --kubernetes-versions',
  });
}

/** Makes a folder a level, each a run of its own; all of them go again when bad input ends the run before it began. */
async function inLevelFolders<T>(
  levels: readonly number[],
  path: string,
  { plan, provider, manifest }: PreparedRun,
  work: (folders: readonly LevelFolder[]) => Promise<T>,
  made: readonly LevelFolder[] = [],
): Promise<T> {
  const [lanes, ...others] = levels;
  if (lanes === undefined) return work(made);
  const name = `level-${numbered(lanes)}`;
  const matrix = { ...plan.matrix, concurrency: lanes };
  const own = { ...manifest, run: `${manifest.run}-${name}`, matrix };
  return inNewFolder(join(path, name), own, (folder) => {
    const level = { lanes, plan: planExperiment(matrix, provider, plugIns), folder };
    return inLevelFolders(others, path, { plan, provider, manifest }, work, [...made, level]);
  });
}

interface Measuring extends AaRequest {
  readonly prepared: PreparedRun;
  readonly group: Plan['groups'][number];
  readonly blocks: ReturnType<typeof aaBlocks>;
}

async function measureLevels(
  folders: readonly LevelFolder[],
  path: string,
  { options, session, onProgress, prepared, group, blocks }: Measuring,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const flowClient = createFlowClient({ workerFile: session.files.flowWorker });
  const newConnectionClient = createNewConnectionClient({ workerFile: session.files.newConnectionsWorker });
  using hostLoad = watchHostLoad();
  await mkdir(path, { recursive: true });
  await using log = openCommandLog(join(path, 'commands.ndjson'));
  session.keepCommands(log.keep);
  const levels = folders.map(({ lanes, plan, folder }) => ({
    lanes,
    plan,
    surroundings: { flowClient, newConnectionClient, hostLoad, store: folder, measure: measureTrial, onProgress },
  }));
  const { provider } = prepared;
  const cluster = clusterOptions(options);
  return await runBlocks({ provider, cluster, group, levels, blocks, onProgress, notice: session.notice }, signal);
}

interface Facts extends Pick<AaResult, 'run' | 'startedAt' | 'repeats' | 'rounds'> {
  readonly seconds: ReadonlyMap<number, number>;
}

async function conclude(folders: readonly LevelFolder[], path: string, facts: Facts): Promise<AaResult> {
  for (const { folder, plan } of folders) {
    await sumUp(folder, plan, notMeasured('its blocks ran between those of other levels'));
  }
  const named = ({ folder, lanes }: LevelFolder) => ({ folder, name: lanes === 1 ? '1 lane' : `${lanes} lanes` });
  const [reference, ...others] = folders;
  if (reference === undefined) throw new Error('an A/A run has a reference level');
  const comparisons: LevelComparison[] = [];
  for (const level of others) {
    const comparison = await compareRuns(named(reference), named(level), ['concurrency']);
    comparisons.push({ lanes: level.lanes, comparison, pooled: poolArms(comparison) });
  }
  const { seconds, ...rest } = facts;
  const result: AaResult = {
    schemaVersion: 1,
    ...rest,
    levels: folders.map(({ lanes, folder }) => ({
      lanes,
      trials: folder.completed.size,
      seconds: seconds.get(lanes) ?? 0,
    })),
    comparisons,
    finding: aaFinding(comparisons),
    cleanUpToLanes: cleanUpTo(comparisons),
  };
  const text = `${JSON.stringify(aaResultSchema.parse(result), null, 2)}\n`;
  await writeAtomic(join(path, 'comparison.json'), text);
  await writeAtomic(join(path, 'comparison.md'), writeAaResult(result));
  return result;
}
