import type { FlowClient } from '../domain/client.ts';
import type { Cluster } from '../domain/cluster.ts';
import { describeError, firstErrorOf, isActionable } from '../domain/errors.ts';
import type { Trial, TrialFailure, TrialReport } from '../domain/trial.ts';
import { inconclusiveIn, unexpectedIn } from './expectation.ts';
import type { ProgressSink } from './progress.ts';
import { runTrial, type TrialHost, type TrialRequest } from './run-trial.ts';

/** Where a run's trials go, each as it ends. */
export interface TrialStore {
  /** Identifiers of measured trials that are stored already: a resumed run leaves them alone. */
  readonly completed: ReadonlySet<string>;
  writeTrial(report: TrialReport): Promise<void>;
  writeWarmUp(report: TrialReport): Promise<void>;
  writeFailure(failure: TrialFailure): Promise<void>;
}

/** What trials of one run share. */
export interface TrialSurroundings {
  readonly flowClient: FlowClient;
  readonly store: TrialStore;
  readonly measure: (trial: Trial) => TrialReport['metrics'];
  readonly onProgress: ProgressSink;
}

/**
 * Runs one trial and stores its report as soon as it is judged, before anything is removed: what was measured outlives
 * a removal that fails. Undefined when the trial failed; its reason is stored by then.
 *
 * @throws what ends the run as a whole: bad input, and whatever an abort ended in.
 */
export async function attemptTrial(
  trial: TrialRequest,
  cluster: Cluster,
  surroundings: TrialSurroundings,
  signal: AbortSignal,
): Promise<TrialReport | undefined> {
  const { onProgress } = surroundings;
  const stored: { report?: TrialReport } = {};
  const host: TrialHost = {
    cluster,
    flowClient: surroundings.flowClient,
    onPhase: (phase, seconds) => {
      onProgress({ kind: 'trial-phase', trial: trial.id, phase, seconds });
    },
    onJudged: async (result) => {
      stored.report = await keepReport(result, cluster, surroundings, signal);
    },
  };
  try {
    await runTrial(trial, host, signal);
  } catch (error) {
    if (signal.aborted || isActionable(firstErrorOf(error), 'input')) throw error;
    if (stored.report === undefined) await recordFailure(trial, describeError(error), surroundings);
    else onProgress({ kind: 'removal-failed', what: trial.id, reason: describeError(error) });
  }
  return stored.report;
}

async function keepReport(
  trial: Trial,
  cluster: Cluster,
  { store, measure }: TrialSurroundings,
  signal: AbortSignal,
): Promise<TrialReport> {
  const report: TrialReport = {
    schemaVersion: 1,
    environment: await cluster.environment(signal),
    trial,
    metrics: measure(trial),
    unexpected: unexpectedIn(trial),
    inconclusive: inconclusiveIn(trial),
  };
  await (trial.purpose === 'warm-up' ? store.writeWarmUp(report) : store.writeTrial(report));
  return report;
}

/** A failed trial discards its arm; a failed warm-up only leaves the cluster colder than it should be. */
export async function recordFailure(
  { id, planned, purpose }: Pick<TrialRequest, 'id' | 'planned' | 'purpose'>,
  reason: string,
  { store, onProgress }: Pick<TrialSurroundings, 'store' | 'onProgress'>,
): Promise<void> {
  const arm = planned.arm.id;
  onProgress({ kind: 'trial-failed', trial: id, reason });
  await store.writeFailure({ trial: id, arm, reason });
  if (purpose === 'measured') onProgress({ kind: 'arm-absent', arm, status: 'discarded', reason });
}

/** An arm whose cluster can't be had for want of something is skipped, neither passed nor failed. */
export async function recordUnmetRequirement(
  { id, planned }: Pick<TrialRequest, 'id' | 'planned'>,
  reason: string,
  { store, onProgress }: Pick<TrialSurroundings, 'store' | 'onProgress'>,
): Promise<void> {
  const arm = planned.arm.id;
  await store.writeFailure({ trial: id, arm, reason, unmetRequirement: true });
  onProgress({ kind: 'arm-absent', arm, status: 'skipped', reason });
}
