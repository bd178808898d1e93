import * as core from '@actions/core';

/**
 * What the main step tells its post step, which runs whatever became of the main one. `started` is set before anything
 * is made, `published` when nothing is left for the post step to save.
 */
export const stateKeys = ['started', 'kubeconfig-folder', 'logs-folder', 'report-folder', 'published'] as const;
export type StateKey = (typeof stateKeys)[number];

export interface StepState {
  set(key: StateKey, value: string): void;
  /** Empty when it was not set. */
  get(key: StateKey): string;
}

export const stepState: StepState = {
  set: (key, value) => {
    core.saveState(key, value);
  },
  get: (key) => core.getState(key),
};
