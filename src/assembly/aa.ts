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
import type { RunFolder } from '../report/run-folder.ts';
import { writeAtomic } from '../report/write-atomic.ts';
import { poolArms } from '../stats/pool-arms.ts';
import { aaBlocks, type Block } from './aa-blocks.ts';
import { runBlocks } from './aa-course.ts';
import {
  checkAskedBesides,
  differencesBetween,
  greatestDemand,
  levelsOf,
  type AaLevelSpec,
  type Variation,
} from './aa-levels.ts';
import { inNewFolder } from './carry-out.ts';
import { openCommandLog } from './command-log.ts';
import { compareRuns } from './compare-runs.ts';
import type { MatrixFactors } from './matrix-factors.ts';
import { plugIns } from './plug-ins.ts';
import { prepareRun, type PreparedRun } from './prepare-run.ts';
import { clusterOptions, type RunOptions } from './run-options.ts';
import type { Session } from './session.ts';
import { sumUp } from './sum-up.ts';

export interface AaRequest {
  readonly options: RunOptions & MatrixFactors;
  readonly variation: Variation;
  /** A new or empty folder, chosen from the run's name. */
  readonly outputOf: (run: string) => string;
  readonly session: Session;
  readonly onProgress: ProgressSink;
}

interface LevelFolder {
  readonly spec: AaLevelSpec;
  readonly plan: Plan;
  readonly folder: RunFolder;
}

/**
 * Runs the same trials under several conditions, in turns on one cluster, and compares each level with the first. Each
 * level is a run of its own in a folder of its name; `comparison.json` and `comparison.md` are written beside them.
 *
 * @throws {ActionableError} of kind `input` when the matrix needs more than one cluster, or the levels don't fit it.
 */
export async function compareLevels(request: AaRequest, signal: AbortSignal): Promise<AaResult> {
  const { options, variation, session, outputOf } = request;
  checkAskedBesides(variation, options);
  const asked = { ...options, ...greatestDemand(variation), clusterReuse: 'shared' } as const;
  const prepared = await prepareRun(asked, session, signal);
  const levels = levelsOf(variation, prepared.plan, prepared.provider);
  const arms = prepared.plan.arms.filter(({ skip }) => skip === null);
  const { repeats } = prepared.plan.matrix;
  const blocks = aaBlocks({ levels, arms: arms.length, repeats });
  const group = onlyGroup(prepared.plan);
  const path = outputOf(prepared.manifest.run);
  session.notice(`results go to ${path}`);
  return inLevelFolders(levels, path, prepared, async (folders) => {
    const seconds = await measureLevels(folders, path, { ...request, group, blocks, prepared }, signal);
    return conclude(folders, path, {
      run: prepared.manifest.run,
      varied: variation.varied,
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
  levels: readonly AaLevelSpec[],
  path: string,
  { plan, provider, manifest }: PreparedRun,
  work: (folders: readonly LevelFolder[]) => Promise<T>,
  made: readonly LevelFolder[] = [],
): Promise<T> {
  const [spec, ...others] = levels;
  if (spec === undefined) return work(made);
  const matrix = { ...plan.matrix, concurrency: spec.lanes, ...spec.observing };
  const own = { ...manifest, run: `${manifest.run}-${spec.id}`, matrix };
  return inNewFolder(join(path, spec.id), own, (folder) => {
    const level = { spec, plan: planExperiment(matrix, provider, plugIns), folder };
    return inLevelFolders(others, path, { plan, provider, manifest }, work, [...made, level]);
  });
}

interface Measuring extends AaRequest {
  readonly prepared: PreparedRun;
  readonly group: Plan['groups'][number];
  readonly blocks: readonly Block<AaLevelSpec>[];
}

async function measureLevels(
  folders: readonly LevelFolder[],
  path: string,
  { options, session, onProgress, prepared, group, blocks }: Measuring,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const flowClient = createFlowClient({ workerFile: session.files.flowWorker });
  const newConnectionClient = createNewConnectionClient({ workerFile: session.files.newConnectionsWorker });
  using hostLoad = watchHostLoad();
  await mkdir(path, { recursive: true });
  await using log = openCommandLog(join(path, 'commands.ndjson'));
  session.keepCommands(log.keep);
  const levels = folders.map(({ spec, plan, folder }) => ({
    spec,
    plan,
    surroundings: { flowClient, newConnectionClient, hostLoad, store: folder, measure: measureTrial, onProgress },
  }));
  const { provider } = prepared;
  const cluster = clusterOptions(options);
  return await runBlocks({ provider, cluster, group, levels, blocks, onProgress, notice: session.notice }, signal);
}

interface Facts extends Pick<AaResult, 'run' | 'varied' | 'startedAt' | 'repeats' | 'rounds'> {
  readonly seconds: ReadonlyMap<string, number>;
}

async function conclude(folders: readonly LevelFolder[], path: string, facts: Facts): Promise<AaResult> {
  for (const { folder, plan } of folders) {
    await sumUp(folder, plan, notMeasured('its blocks ran between those of other levels'));
  }
  const named = ({ folder, spec: { name } }: LevelFolder) => ({ folder, name });
  const [reference, ...others] = folders;
  if (reference === undefined) throw new Error('an A/A run has a reference level');
  const comparisons: LevelComparison[] = [];
  for (const level of others) {
    const { lanes, observing } = level.spec;
    const comparison = await compareRuns(
      named(reference),
      named(level),
      differencesBetween(reference.spec, level.spec),
    );
    comparisons.push({ lanes, observing, comparison, pooled: poolArms(comparison) });
  }
  const { seconds, ...rest } = facts;
  const result: AaResult = {
    schemaVersion: 1,
    ...rest,
    levels: folders.map(({ spec: { id, lanes, observing }, folder }) => ({
      lanes,
      observing,
      trials: folder.completed.size,
      seconds: seconds.get(id) ?? 0,
    })),
    comparisons,
    finding: aaFinding(comparisons),
    cleanUpToLanes: facts.varied === 'lanes' ? cleanUpTo(comparisons) : null,
  };
  const text = `${JSON.stringify(aaResultSchema.parse(result), null, 2)}\n`;
  await writeAtomic(join(path, 'comparison.json'), text);
  await writeAtomic(join(path, 'comparison.md'), writeAaResult(result));
  return result;
}
