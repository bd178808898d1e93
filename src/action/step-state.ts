import * as core from '@actions/core';

/**
 * What the main step tells its post step, which runs whatever became of the main one. Each is set before what it names
 * is made; `published` when nothing is left for the post step to save.
 */
export type StateKey =
  | 'started'
  | 'kubeconfig-folder'
  | 'report-folder'
  /** The name by which everything that a run makes in a cluster is called. */
  | 'workloads'
  | 'published';

export interface StepState {
  readonly set: (key: StateKey, value: string) => void;
  /** Empty when it was not set. */
  readonly get: (key: StateKey) => string;
}

export const stepState: StepState = {
  set: (key, value) => {
    core.saveState(key, value);
  },
  get: (key) => core.getState(key),
};
