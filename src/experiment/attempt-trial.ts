import type { FlowClient } from '../domain/client.ts';
import type { Cluster } from '../domain/cluster.ts';
import { describeError, firstErrorOf, isActionable } from '../domain/errors.ts';
import type { HostLoad } from '../domain/host-load.ts';
import { valueOf } from '../domain/measured.ts';
import type { NewConnectionClient } from '../domain/new-connections.ts';
import { disturbancesIn } from '../domain/quality.ts';
import type { Trial, TrialFailure, TrialReport } from '../domain/trial.ts';
import { representativeMetrics } from './emulation.ts';
import { inconclusiveIn, unexpectedIn } from './expectation.ts';
import type { ProgressSink } from './progress.ts';
import type { TrialRecording } from './record-evidence.ts';
import { deployTrial, runTrial, type DeployedTrial, type TrialHost, type TrialRequest } from './run-trial.ts';

/** Where a run's trials go, each as it ends. */
export interface TrialStore {
  /** Identifiers of measured trials that are stored already: a resumed run leaves them alone. */
  readonly completed: ReadonlySet<string>;
  writeTrial(report: TrialReport): Promise<void>;
  writeWarmUp(report: TrialReport): Promise<void>;
  /** Keeps a trial that is not averaged, as the machine was not calm. */
  writeDisturbed(report: TrialReport): Promise<void>;
  writeFailure(failure: TrialFailure): Promise<void>;
  /** Where what was captured of a trial may be kept, beside that of its earlier attempts. */
  captureFolder(report: TrialReport): Promise<string>;
}

/** What trials of one run share. */
export interface TrialSurroundings {
  readonly flowClient: FlowClient;
  /** Absent: no new connections are dialled. */
  readonly newConnectionClient?: NewConnectionClient;
  readonly hostLoad: HostLoad;
  /** Uniform in [0, 1): the phases of triggers. `Math.random` by default. */
  readonly random?: () => number;
  /** Of which trials captures are kept; of the unexpected ones, by default. */
  readonly keepCaptures?: 'unexpected' | 'always';
  readonly store: TrialStore;
  readonly measure: (trial: Trial) => TrialReport['metrics'];
  readonly onProgress: ProgressSink;
}

export type Attempt =
  | { readonly status: 'stored'; readonly report: TrialReport }
  /** The machine was not calm: the report is kept apart, and the trial is to be repeated. */
  | { readonly status: 'disturbed'; readonly reasons: readonly string[] }
  /** Its reason is stored. */
  | { readonly status: 'failed' };

/**
 * Deploys a trial's workload. Undefined when that failed; its reason is stored by then.
 *
 * @throws what ends the run as a whole: bad input, and whatever an abort ended in.
 */
export async function deployAttempt(
  trial: TrialRequest,
  cluster: Cluster,
  surroundings: TrialSurroundings,
  signal: AbortSignal,
): Promise<DeployedTrial | undefined> {
  try {
    return await deployTrial(trial, { cluster, onPhase: phaseTeller(trial, surroundings) }, signal);
  } catch (error) {
    if (endsRun(error, signal)) throw error;
    await recordFailure(trial, describeError(error), surroundings);
    return undefined;
  }
}

/**
 * Runs a deployed trial and stores its report as soon as it is judged: what was measured outlives a removal that fails.
 *
 * @throws what ends the run as a whole: bad input, and whatever an abort ended in.
 */
export async function runAttempt(
  deployed: DeployedTrial,
  cluster: Cluster,
  surroundings: TrialSurroundings & Pick<TrialHost, 'bookTrigger'>,
  signal: AbortSignal,
): Promise<Attempt> {
  const { request: trial } = deployed;
  const kept: { attempt?: Attempt } = {};
  const host: TrialHost = {
    cluster,
    flowClient: surroundings.flowClient,
    ...(surroundings.newConnectionClient === undefined
      ? {}
      : { newConnectionClient: surroundings.newConnectionClient }),
    hostLoad: surroundings.hostLoad,
    random: surroundings.random ?? Math.random,
    bookTrigger: surroundings.bookTrigger,
    onPhase: phaseTeller(trial, surroundings),
    onJudged: async (result, recording) => {
      const report = await reportOf(result, trial, cluster, surroundings, signal);
      kept.attempt = await keepReport(report, surroundings);
      await keepCaptures(report, recording, surroundings);
    },
  };
  try {
    await runTrial(deployed, host, signal);
  } catch (error) {
    if (endsRun(error, signal)) throw error;
    if (kept.attempt === undefined) await recordFailure(trial, describeError(error), surroundings);
  }
  return kept.attempt ?? { status: 'failed' };
}

/**
 * Removes a trial's workload, or leaves it to a cluster that ends next. What can't be removed is told of, and touches
 * nothing that was measured.
 */
export async function removeAttempt(
  { request, workload }: DeployedTrial,
  how: 'remove' | 'leave',
  { onProgress }: Pick<TrialSurroundings, 'onProgress'>,
): Promise<void> {
  const { id } = request;
  onProgress({ kind: 'trial-phase', trial: id, phase: 'removing', seconds: null });
  try {
    await (how === 'leave' ? workload.leave() : workload[Symbol.asyncDispose]());
  } catch (error) {
    onProgress({ kind: 'removal-failed', what: id, reason: describeError(error) });
  }
}

const phaseTeller =
  ({ id }: TrialRequest, { onProgress }: Pick<TrialSurroundings, 'onProgress'>): TrialHost['onPhase'] =>
  (phase, seconds) => {
    onProgress({ kind: 'trial-phase', trial: id, phase, seconds });
  };

const endsRun = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || isActionable(firstErrorOf(error), 'input');

/** A trial is held against what its scenario leads to expect of the data plane that runs, whichever was asked for. */
async function reportOf(
  result: Trial,
  { planned }: Pick<TrialRequest, 'planned'>,
  cluster: Cluster,
  { measure }: Pick<TrialSurroundings, 'measure'>,
  signal: AbortSignal,
): Promise<TrialReport> {
  const environment = await cluster.environment(signal);
  const running = valueOf(environment.proxyMode) ?? planned.arm.proxyMode;
  const trial = { ...result, scenario: { ...result.scenario, expects: planned.expectsUnder(running) } };
  return {
    schemaVersion: 1,
    environment,
    trial,
    metrics: representativeMetrics(environment, measure(trial)),
    unexpected: unexpectedIn(trial),
    inconclusive: inconclusiveIn(trial),
  };
}

async function keepReport(report: TrialReport, { store }: Pick<TrialSurroundings, 'store'>): Promise<Attempt> {
  const { trial } = report;
  if (trial.purpose === 'warm-up') {
    await store.writeWarmUp(report);
    return { status: 'stored', report };
  }
  const reasons = disturbancesIn(trial.quality);
  if (reasons.length > 0) {
    await store.writeDisturbed(report);
    return { status: 'disturbed', reasons };
  }
  await store.writeTrial(report);
  return { status: 'stored', report };
}

/** What a surprise can be understood by is kept; else it only would take room. */
async function keepCaptures(
  report: TrialReport,
  { keep }: Pick<TrialRecording, 'keep'>,
  { store, keepCaptures: when = 'unexpected', onProgress }: TrialSurroundings,
): Promise<void> {
  if (keep === undefined || (when === 'unexpected' && report.unexpected.length === 0)) return;
  try {
    await keep(await store.captureFolder(report));
  } catch (error) {
    onProgress({ kind: 'captures-lost', trial: report.trial.id, reason: describeError(error) });
  }
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
