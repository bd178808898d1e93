import type { Cluster, ClusterSpec, Provider } from '../domain/cluster.ts';
import { describeError, firstErrorOf, isActionable } from '../domain/errors.ts';
import { attemptTrial, recordFailure, recordUnmetRequirement, type TrialSurroundings } from './attempt-trial.ts';
import { createPace, type Pace } from './pace.ts';
import { trialIdOf, type ClusterGroup, type Plan, type PlannedArm } from './plan.ts';
import type { ProgressSink } from './progress.ts';
import type { TrialRequest } from './run-trial.ts';
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
    const cluster = await request.provider.open(specOf(group, name, request), signal);
    return { status: 'opened', cluster, seconds: (performance.now() - began) / 1000 };
  } catch (error) {
    if (signal.aborted || isActionable(firstErrorOf(error), 'input')) throw error;
    return { status: 'refused', group, error };
  }
}

function specOf({ proxyMode, kubernetesVersion }: ClusterGroup, name: string, request: ExperimentRequest): ClusterSpec {
  const spec: ClusterSpec = {
    name,
    ...request.cluster,
    ...(kubernetesVersion === null ? {} : { kubernetesVersion }),
  };
  return proxyMode === null ? spec : proxyMode.configure(spec);
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
    onProgress({ kind: 'cluster-closing', cluster: cluster.name });
    await close(cluster, onProgress);
  }
}

async function close(cluster: Cluster, onProgress: ProgressSink): Promise<void> {
  try {
    await cluster[Symbol.asyncDispose]();
  } catch (error) {
    onProgress({ kind: 'removal-failed', what: cluster.name, reason: describeError(error) });
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
  let isFirst = provider.capabilities.has('cluster-configuration');
  const attempt = (trial: Omit<TrialRequest, 'workloadName' | 'firstOnCluster'>) => {
    sequence += 1;
    const firstOnCluster = isFirst && trial.purpose === 'measured';
    if (firstOnCluster) isFirst = false;
    return attemptTrial({ ...trial, workloadName: `${runId}-${sequence}`, firstOnCluster }, cluster, request, signal);
  };
  const [first] = arms;
  // a plain process has no cold cluster behind it
  if (first !== undefined && provider.capabilities.has('kubernetes-api')) await attempt(warmUpFor(first, plan));
  for (const planned of arms) {
    for (const repeat of missingRepeats(planned, request)) {
      const id = trialIdOf(planned.arm, repeat);
      const began = performance.now();
      const report = await attempt({ id, planned, repeat, purpose: 'measured', conditions: plan.conditions });
      if (report === undefined) break;
      pace.trialDone(planned, (performance.now() - began) / 1000);
      request.onProgress({ kind: 'trial-ended', report, ...pace.state(clustersLeft) });
    }
  }
}
