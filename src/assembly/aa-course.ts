import { randomBytes } from 'node:crypto';
import type { Cluster, ClusterSpec, Provider } from '../domain/cluster.ts';
import type { TrialSurroundings } from '../experiment/attempt-trial.ts';
import { clusterSpecOf, closeCluster } from '../experiment/group-cluster.ts';
import { trialIdOf, type ClusterGroup, type Plan } from '../experiment/plan.ts';
import type { ProgressSink } from '../experiment/progress.ts';
import { runLanes } from '../experiment/run-lanes.ts';
import { runSequence } from '../experiment/run-sequence.ts';
import type { TrialRequest } from '../experiment/run-trial.ts';
import { TrialCourse } from '../experiment/trial-course.ts';
import { warmUpFor } from '../experiment/warm-up.ts';
import type { Block } from './aa-blocks.ts';
import type { AaLevelSpec } from './aa-levels.ts';

/** A level's own plan, and where its trials go. */
export interface Level {
  readonly spec: AaLevelSpec;
  readonly plan: Plan;
  readonly surroundings: TrialSurroundings;
}

export interface AaCourse {
  readonly provider: Provider;
  readonly cluster: Pick<ClusterSpec, 'nodeImage' | 'workers'>;
  readonly group: ClusterGroup;
  readonly levels: readonly Level[];
  readonly blocks: readonly Block<AaLevelSpec>[];
  readonly onProgress: ProgressSink;
  readonly notice: (text: string) => void;
}

/**
 * Runs the blocks one after the other on one cluster, which is closed again. A trial that fails discards its arm at its
 * own level.
 *
 * @returns seconds of each level's blocks, by its identifier
 * @throws what ends the run as a whole, after everything that was made has been removed
 */
export async function runBlocks(course: AaCourse, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const { provider, group, onProgress } = course;
  const runId = randomBytes(4).toString('hex');
  const name = `drainwatch-${runId}-1`;
  const began = performance.now();
  onProgress({ kind: 'cluster-opening', cluster: name, arms: group.arms.map(({ arm }) => arm.id) });
  const cluster = await provider.open(clusterSpecOf(group, name, course.cluster), signal);
  try {
    const environment = await cluster.environment(signal);
    const seconds = (performance.now() - began) / 1000;
    onProgress({ kind: 'cluster-ready', cluster: name, environment, seconds });
    return await onCluster(cluster, runId, course, signal);
  } finally {
    await closeCluster(cluster, name, onProgress);
  }
}

async function onCluster(
  cluster: Cluster,
  runId: string,
  { provider, group, levels, blocks, onProgress, notice }: AaCourse,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  let sequence = 0;
  const nextWorkloadName = () => `${runId}-${(sequence += 1)}`;
  const arms = group.arms.filter(({ skip }) => skip === null);
  const began = performance.now();
  const planned = blocks.reduce((sum, { repeats }) => sum + repeats.length * arms.length, 0);
  let done = 0;
  const courses = new Map(
    levels.map(({ spec, surroundings }) => {
      const onStored = ({ purpose }: TrialRequest, report: Parameters<typeof surroundings.store.writeTrial>[0]) => {
        if (purpose !== 'measured') return;
        done += 1;
        const remainingSeconds = ((performance.now() - began) / 1000 / done) * (planned - done);
        onProgress({ kind: 'trial-ended', report, done, planned, remainingSeconds });
      };
      return [spec.id, new TrialCourse({ cluster, surroundings, nextWorkloadName, onStored })] as const;
    }),
  );
  const seconds = new Map(levels.map(({ spec }) => [spec.id, 0]));
  let isFirst = provider.capabilities.has('cluster-configuration');
  const [reference] = levels;
  const [firstArm] = arms;
  const referenceCourse = reference && courses.get(reference.spec.id);
  // a plain process has no cold cluster behind it
  if (referenceCourse && firstArm && provider.capabilities.has('kubernetes-api')) {
    const warmUp = { ...warmUpFor(firstArm, reference.plan), workloadName: nextWorkloadName(), firstOnCluster: false };
    await runSequence([warmUp], referenceCourse, signal);
  }
  for (const { round, level: spec, repeats } of blocks) {
    const { id, name, lanes } = spec;
    const level = levels.find((candidate) => candidate.spec.id === id);
    const course = courses.get(id);
    if (level === undefined || course === undefined) throw new Error(`no ${id}`);
    notice(`round ${round}, ${name}: repeats ${repeats.join(', ')} of each arm`);
    const { conditions, isolation } = level.plan;
    const trials = repeats.flatMap((repeat) =>
      arms.map((arm): TrialRequest => {
        const firstOnCluster = isFirst;
        isFirst = false;
        const names = { id: trialIdOf(arm.arm, repeat), workloadName: nextWorkloadName() };
        return { ...names, planned: arm, repeat, purpose: 'measured', firstOnCluster, conditions, isolation };
      }),
    );
    const blockBegan = performance.now();
    const { spacingMs } = isolation;
    if (spacingMs === null) await runSequence(trials, course, signal);
    else await runLanes(trials, course, { lanes, spacingMs }, signal);
    seconds.set(id, (seconds.get(id) ?? 0) + (performance.now() - blockBegan) / 1000);
  }
  return seconds;
}
