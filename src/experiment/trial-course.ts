import type { Cluster } from '../domain/cluster.ts';
import { deployAttempt, recordFailure, removeAttempt, runAttempt, type TrialSurroundings } from './attempt-trial.ts';
import type { DeployedTrial, TrialHost, TrialRequest } from './run-trial.ts';
import type { TrialReport } from '../domain/trial.ts';

/** How often a trial is measured at most, when the machine was not calm. */
const mostAttempts = 3;

export interface CourseOptions {
  readonly cluster: Cluster;
  readonly surroundings: TrialSurroundings;
  /** Told of each stored trial, with the seconds that it took from its deployment on. */
  readonly onStored: (request: TrialRequest, report: TrialReport, seconds: number) => void;
  /** Names the workload of a repeated attempt. */
  readonly nextWorkloadName: () => string;
}

/**
 * The course of trials on one cluster, whatever their order: an arm that lost a trial runs no further one, and a trial
 * that was disturbed is measured again.
 */
export class TrialCourse {
  readonly #options: CourseOptions;
  readonly #lostArms = new Set<string>();
  readonly #disturbed = new Map<string, number>();

  constructor(options: CourseOptions) {
    this.#options = options;
  }

  /** Whether the trial's arm was discarded meanwhile. */
  isPointless({ planned, purpose }: TrialRequest): boolean {
    return purpose === 'measured' && this.#lostArms.has(planned.arm.id);
  }

  /** @throws what ends the run as a whole */
  async deploy(request: TrialRequest, signal: AbortSignal): Promise<DeployedTrial | undefined> {
    const { cluster, surroundings } = this.#options;
    const deployed = await deployAttempt(request, cluster, surroundings, signal);
    if (deployed === undefined) this.#lose(request);
    return deployed;
  }

  /**
   * Runs a trial on its workload, which stays.
   * @returns the request of the trial's next attempt, where one is needed
   * @throws what ends the run as a whole
   */
  async run(
    deployed: DeployedTrial,
    bookTrigger: TrialHost['bookTrigger'],
    signal: AbortSignal,
  ): Promise<TrialRequest | undefined> {
    const { cluster, surroundings, onStored } = this.#options;
    const { request } = deployed;
    const began = performance.now();
    const attempt = await runAttempt(deployed, cluster, { ...surroundings, bookTrigger }, signal);
    switch (attempt.status) {
      case 'stored':
        onStored(request, attempt.report, (performance.now() - began) / 1000);
        return undefined;
      case 'failed':
        this.#lose(request);
        return undefined;
      case 'disturbed':
        return this.#again(request, attempt.reasons);
      default:
        return attempt satisfies never;
    }
  }

  /** `leave`: the cluster ends next, and its objects with it. */
  async remove(deployed: DeployedTrial, how: 'remove' | 'leave' = 'remove'): Promise<void> {
    await removeAttempt(deployed, how, this.#options.surroundings);
  }

  #lose({ planned, purpose }: TrialRequest): void {
    if (purpose === 'measured') this.#lostArms.add(planned.arm.id);
  }

  async #again(request: TrialRequest, reasons: readonly string[]): Promise<TrialRequest | undefined> {
    const { surroundings, nextWorkloadName } = this.#options;
    const attempts = (this.#disturbed.get(request.id) ?? 0) + 1;
    this.#disturbed.set(request.id, attempts);
    if (attempts < mostAttempts) {
      const reason = `disturbed, and measured again: ${reasons.join('; ')}`;
      await surroundings.store.writeFailure({ trial: request.id, arm: request.planned.arm.id, reason });
      surroundings.onProgress({ kind: 'trial-disturbed', trial: request.id, reasons });
      return { ...request, workloadName: nextWorkloadName(), firstOnCluster: false };
    }
    const reason = `disturbed in each of ${mostAttempts} attempts, in the last by ${reasons.join('; ')}`;
    await recordFailure(request, reason, surroundings);
    this.#lose(request);
    return undefined;
  }
}
