import type { FlowClient } from '../domain/client.ts';
import type { Cluster, ClusterSpec, Provider } from '../domain/cluster.ts';
import type { Environment } from '../domain/environment.ts';
import { ActionableError, describeError } from '../domain/errors.ts';
import type { Trial, TrialReport } from '../domain/trial.ts';
import { unexpectedIn } from './expectation.ts';
import { trialFloorSeconds, type ClusterGroup, type Plan, type PlannedArm } from './plan.ts';
import type { ProgressSink } from './progress.ts';
import { runTrial, type TrialHost, type TrialRequest } from './run-trial.ts';
import { warmUpFor } from './warm-up.ts';

/** Where a run's trials go, each as it ends. */
export interface TrialStore {
  /** Identifiers of measured trials that are stored already: a resumed run leaves them alone. */
  readonly completed: ReadonlySet<string>;
  writeTrial(report: TrialReport): Promise<void>;
  writeWarmUp(report: TrialReport): Promise<void>;
  writeFailure(failure: { readonly trial: string; readonly arm: string; readonly reason: string }): Promise<void>;
}

export interface ExperimentRequest {
  readonly plan: Plan;
  /** Eight characters that keep this run's names apart from those of any other. */
  readonly runId: string;
  readonly provider: Provider;
  readonly cluster: Pick<ClusterSpec, 'nodeImage' | 'workers'>;
  readonly flowClient: FlowClient;
  readonly store: TrialStore;
  readonly measure: (trial: Trial) => TrialReport['metrics'];
  readonly onProgress: ProgressSink;
}

/**
 * Runs every trial of the plan that is not stored yet. A trial that fails discards its arm: the arm's other trials are
 * not run, the next arm is. What ends the run as a whole (bad input, an abort) is thrown, after everything that was
 * made has been removed.
 */
export async function runExperiment(request: ExperimentRequest, signal: AbortSignal): Promise<void> {
  const { plan, store, onProgress } = request;
  const pace = createPace(plan, store.completed.size);
  for (const { arm, skip } of plan.arms) {
    if (skip !== null) onProgress({ kind: 'arm-absent', arm: arm.id, status: 'skipped', reason: skip });
  }
  let index = 0;
  for (const group of plan.groups) {
    index += 1;
    const arms = group.arms.filter((planned) => planned.skip === null && missingRepeats(planned, request).length > 0);
    if (arms.length === 0) continue;
    await runGroup({ ...group, arms }, `drainwatch-${request.runId}-${index}`, request, pace, signal);
  }
}

const trialId = ({ arm }: PlannedArm, repeat: number) => `${arm.id}-${String(repeat).padStart(2, '0')}`;

function missingRepeats(planned: PlannedArm, { plan, store }: ExperimentRequest): readonly number[] {
  const repeats = Array.from({ length: plan.matrix.repeats }, (_, index) => index + 1);
  return repeats.filter((repeat) => !store.completed.has(trialId(planned, repeat)));
}

async function runGroup(
  group: ClusterGroup,
  name: string,
  request: ExperimentRequest,
  pace: Pace,
  signal: AbortSignal,
): Promise<void> {
  const { provider, onProgress } = request;
  const opened = performance.now();
  onProgress({ kind: 'cluster-opening', cluster: name, arms: group.arms.map(({ arm }) => arm.id) });
  let cluster: Cluster;
  try {
    cluster = await provider.open(specOf(group, name, request), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isInputError(error)) throw error;
    await discardGroup(group, describeError(error), request);
    return;
  }
  await using held = cluster;
  const environment = await held.environment(signal);
  onProgress({ kind: 'cluster-ready', cluster: name, environment, seconds: (performance.now() - opened) / 1000 });
  await runTrials(group, held, request, pace, signal);
  onProgress({ kind: 'cluster-closing', cluster: name });
}

function specOf({ proxyMode, kubernetesVersion }: ClusterGroup, name: string, request: ExperimentRequest): ClusterSpec {
  const spec: ClusterSpec = {
    name,
    ...request.cluster,
    ...(kubernetesVersion === null ? {} : { kubernetesVersion }),
  };
  return proxyMode === null ? spec : proxyMode.configure(spec);
}

async function discardGroup(group: ClusterGroup, reason: string, request: ExperimentRequest): Promise<void> {
  for (const planned of group.arms) {
    const [repeat = 1] = missingRepeats(planned, request);
    await recordFailure({ id: trialId(planned, repeat), planned, purpose: 'measured' }, reason, request);
  }
}

/** A failed trial discards its arm; a failed warm-up only leaves the cluster colder than it should be. */
async function recordFailure(
  { id, planned, purpose }: Pick<TrialRequest, 'id' | 'planned' | 'purpose'>,
  reason: string,
  request: ExperimentRequest,
): Promise<void> {
  const arm = planned.arm.id;
  request.onProgress({ kind: 'trial-failed', trial: id, reason });
  await request.store.writeFailure({ trial: id, arm, reason });
  if (purpose === 'measured') request.onProgress({ kind: 'arm-absent', arm, status: 'discarded', reason });
}

async function runTrials(
  { arms }: ClusterGroup,
  cluster: Cluster,
  request: ExperimentRequest,
  pace: Pace,
  signal: AbortSignal,
): Promise<void> {
  const { plan, provider, runId } = request;
  let sequence = 0;
  const attempt = async (trial: Omit<TrialRequest, 'workloadName' | 'firstOnCluster'>) => {
    sequence += 1;
    const firstOnCluster = trial.purpose === 'measured' && sequence === (warm ? 2 : 1);
    return attemptTrial({ ...trial, workloadName: `${runId}-${sequence}`, firstOnCluster }, cluster, request, signal);
  };
  // a plain process has no cold cluster behind it
  const warm = provider.capabilities.has('kubernetes-api');
  const [first] = arms;
  if (warm && first !== undefined) {
    const warmUp = warmUpFor(first, plan);
    const report = await attempt(warmUp);
    if (report !== undefined) await request.store.writeWarmUp(report);
  }
  for (const planned of arms) {
    for (const repeat of missingRepeats(planned, request)) {
      const id = trialId(planned, repeat);
      const report = await attempt({ id, planned, repeat, purpose: 'measured', conditions: plan.conditions });
      if (report === undefined) break;
      await request.store.writeTrial(report);
      pace.trialDone(planned);
      request.onProgress({ kind: 'trial-ended', report, ...pace.state() });
    }
  }
}

/** Undefined when the trial failed: its reason is stored by then. */
async function attemptTrial(
  trial: TrialRequest,
  cluster: Cluster,
  request: ExperimentRequest,
  signal: AbortSignal,
): Promise<TrialReport | undefined> {
  const host: TrialHost = {
    cluster,
    flowClient: request.flowClient,
    onPhase: (phase, seconds) => {
      request.onProgress({ kind: 'trial-phase', trial: trial.id, phase, seconds });
    },
  };
  try {
    const result = await runTrial(trial, host, signal);
    const environment: Environment = await cluster.environment(signal);
    return {
      schemaVersion: 1,
      environment,
      trial: result,
      metrics: request.measure(result),
      unexpected: unexpectedIn(result),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (isInputError(error)) throw error;
    await recordFailure(trial, describeError(error), request);
    return undefined;
  }
}

const isInputError = (error: unknown) => error instanceof ActionableError && error.kind === 'input';

/** How far a run is, and how long it still takes, from its own pace over the waiting that was planned. */
interface Pace {
  trialDone(planned: PlannedArm): void;
  state(): { readonly done: number; readonly planned: number; readonly remainingSeconds: number };
}

function createPace(plan: Plan, alreadyDone: number): Pace {
  const started = performance.now();
  let done = alreadyDone;
  let doneFloor = 0;
  return {
    trialDone({ scenario }) {
      done += 1;
      doneFloor += trialFloorSeconds(scenario, plan.conditions);
    },
    state() {
      const perFloorSecond = (performance.now() - started) / 1000 / Math.max(doneFloor, 1);
      const remainingFloor = (plan.floorSeconds * Math.max(plan.trials - done, 0)) / Math.max(plan.trials, 1);
      return { done, planned: plan.trials, remainingSeconds: remainingFloor * perFloorSecond };
    },
  };
}
