import type { DeployedTrial } from './run-trial.ts';
import type { TrialCourse } from './trial-course.ts';

/** The workloads that are on the cluster. */
export class Standing {
  readonly #course: Pick<TrialCourse, 'remove'>;
  readonly #workloads = new Map<DeployedTrial, 'in-use' | 'ended'>();

  constructor(course: Pick<TrialCourse, 'remove'>) {
    this.#course = course;
  }

  add(trial: DeployedTrial): void {
    this.#workloads.set(trial, 'in-use');
  }

  ended(trial: DeployedTrial): void {
    this.#workloads.set(trial, 'ended');
  }

  async removeEnded(): Promise<void> {
    const ended = [...this.#workloads].flatMap(([trial, state]) => (state === 'ended' ? [trial] : []));
    await this.#remove(ended, 'remove');
  }

  async end(how: 'remove' | 'leave'): Promise<void> {
    await this.#remove([...this.#workloads.keys()], how);
  }

  async #remove(trials: readonly DeployedTrial[], how: 'remove' | 'leave'): Promise<void> {
    for (const trial of trials) this.#workloads.delete(trial);
    await Promise.all(trials.map((trial) => this.#course.remove(trial, how)));
  }
}
