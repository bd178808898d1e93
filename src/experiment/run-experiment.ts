import type { Cluster, ClusterSpec, Provider } from '../domain/cluster.ts';
import { describeError, firstErrorOf, isActionable } from '../domain/errors.ts';
import { recordFailure, recordUnmetRequirement, type TrialSurroundings } from './attempt-trial.ts';
import { clusterSpecOf, closeCluster } from './group-cluster.ts';
import { createPace, type Pace } from './pace.ts';
import { trialIdOf, type ClusterGroup, type Plan, type PlannedArm } from './plan.ts';
import { runLanes } from './run-lanes.ts';
import { runSequence } from './run-sequence.ts';
import type { TrialRequest } from './run-trial.ts';
import { TrialCourse } from './trial-course.ts';
import { warmUpFor } from './warm-up.ts';

export interface ExperimentRequest extends TrialSurroundings {
  readonly plan: Plan;
  /** Eight characters that keep the names of this process's workloads apart from those of any other. */
  readonly runId: string;
  readonly provider: Provider;
  readonly cluster: Pick<ClusterSpec, 'nodeImage' | 'workers'>;
}

/**
 * Runs every trial of the plan that is not stored yet. A trial that fails discards its arm: the arm's other trials are
 * not run, the next arm is. What ends the run as a whole (bad input, an abort) is thrown, after everything that was
 * made has been removed.
 *
 * @throws {ActionableError} of kind `requirement` when no cluster could be opened for want of something, and nothing ran.
 */
export async function runExperiment(request: ExperimentRequest, signal: AbortSignal): Promise<void> {
  const { plan, store, onProgress } = request;
  const pace = createPace(plan, store.completed.size);
  for (const { arm, skip } of plan.arms) {
    if (skip !== null) onProgress({ kind: 'arm-absent', arm: arm.id, status: 'skipped', reason: skip });
  }
  const groups = plan.groups.map((group) => ({
    ...group,
    arms: group.arms.filter((planned) => planned.skip === null && missingRepeats(planned, request).length > 0),
  }));
  // while nothing ran, a machine that lacks what was asked for is one answer to the whole run
  const lacking: RefusedGroup[] = [];
  let hasRun = store.completed.size > 0;
  for (const [index, group] of groups.entries()) {
    if (group.arms.length === 0) continue;
    const opening = await openCluster(group, `drainwatch-${request.runId}-${index + 1}`, request, signal);
    if (opening.status === 'refused') {
      lacking.push(opening);
    } else {
      pace.clusterOpened(opening.seconds);
      const clustersLeft = groups.slice(index + 1).filter(({ arms }) => arms.length > 0).length;
      await useCluster(group, opening, { request, pace, clustersLeft }, signal);
      hasRun = true;
    }
    if (hasRun) await recordRefused(lacking.splice(0), request);
  }
  const [first] = lacking;
  if (first !== undefined && isActionable(firstErrorOf(first.error), 'requirement')) throw first.error;
  await recordRefused(lacking, request);
}

function missingRepeats(
  planned: PlannedArm,
  { plan, store }: Pick<ExperimentRequest, 'plan' | 'store'>,
): readonly number[] {
  const repeats = Array.from({ length: plan.matrix.repeats }, (_, index) => index + 1);
  return repeats.filter((repeat) => !store.completed.has(trialIdOf(planned.arm, repeat)));
}

interface OpenedGroup {
  readonly status: 'opened';
  readonly cluster: Cluster;
  readonly seconds: number;
}
interface RefusedGroup {
  readonly status: 'refused';
  readonly group: ClusterGroup;
  readonly error: unknown;
}

async function openCluster(
  group: ClusterGroup,
  name: string,
  request: ExperimentRequest,
  signal: AbortSignal,
): Promise<OpenedGroup | RefusedGroup> {
  const began = performance.now();
  request.onProgress({ kind: 'cluster-opening', cluster: name, arms: group.arms.map(({ arm }) => arm.id) });
  try {
    const cluster = await request.provider.open(clusterSpecOf(group, name, request.cluster), signal);
    return { status: 'opened', cluster, seconds: (performance.now() - began) / 1000 };
  } catch (error) {
    if (signal.aborted || isActionable(firstErrorOf(error), 'input')) throw error;
    return { status: 'refused', group, error };
  }
}

async function recordRefused(groups: readonly RefusedGroup[], request: ExperimentRequest): Promise<void> {
  for (const { group, error } of groups) {
    for (const planned of group.arms) {
      const [repeat = 1] = missingRepeats(planned, request);
      const trial = { id: trialIdOf(planned.arm, repeat), planned, purpose: 'measured' } as const;
      const record = isActionable(firstErrorOf(error), 'requirement') ? recordUnmetRequirement : recordFailure;
      await record(trial, describeError(error), request);
    }
  }
}

/** What runs, how fast it goes, and how many clusters come after this one. */
interface Course {
  readonly request: ExperimentRequest;
  readonly pace: Pace;
  readonly clustersLeft: number;
}

/** Runs the group's trials and closes the cluster. A cluster that can't be removed is told of, and ends nothing else. */
async function useCluster(
  group: ClusterGroup,
  { cluster, seconds }: OpenedGroup,
  course: Course,
  signal: AbortSignal,
): Promise<void> {
  const { onProgress } = course.request;
  try {
    const environment = await cluster.environment(signal);
    onProgress({ kind: 'cluster-ready', cluster: cluster.name, environment, seconds });
    await runTrials(group, cluster, course, signal);
  } finally {
    await closeCluster(cluster, cluster.name, onProgress);
  }
}

async function runTrials(
  { arms }: ClusterGroup,
  cluster: Cluster,
  { request, pace, clustersLeft }: Course,
  signal: AbortSignal,
): Promise<void> {
  const { plan, provider, runId } = request;
  let sequence = 0;
  const nextWorkloadName = () => `${runId}-${(sequence += 1)}`;
  const course = new TrialCourse({
    cluster,
    surroundings: request,
    nextWorkloadName,
    onStored: ({ planned, purpose }, report, seconds) => {
      if (purpose !== 'measured') return;
      pace.trialDone(planned, seconds);
      request.onProgress({ kind: 'trial-ended', report, ...pace.state(clustersLeft) });
    },
  });
  const [first] = arms;
  if (first === undefined) return;
  const { isolation } = plan;
  const warmUp = { ...warmUpFor(first, plan), workloadName: nextWorkloadName(), firstOnCluster: false };
  // a plain process has no cold cluster behind it
  const warm = provider.capabilities.has('kubernetes-api')
    ? () => runSequence([warmUp], course, signal)
    : () => Promise.resolve();
  const isFresh = provider.capabilities.has('cluster-configuration');
  const trials = arms
    .flatMap((planned) => missingRepeats(planned, request).map((repeat) => ({ planned, repeat })))
    .map(({ planned, repeat }, index): TrialRequest => ({
      id: trialIdOf(planned.arm, repeat),
      planned,
      repeat,
      purpose: 'measured',
      conditions: plan.conditions,
      isolation,
      workloadName: nextWorkloadName(),
      firstOnCluster: isFresh && index === 0,
    }));
  if (isolation.spacingMs === null) {
    await warm();
    await runSequence(trials, course, signal);
  } else {
    const { lanes, spacingMs } = isolation;
    await runLanes(trials, course, { lanes, spacingMs, meanwhile: warm, clusterEnds: isFresh }, signal);
  }
}
