import type { Requirement } from './scenario.ts';

/** The ways a workload can be ended, as its host carries them out. */
export interface Termination {
  /** Asks for deletion with the pod's own grace period. Resolves when the request was accepted. */
  deletePod(signal: AbortSignal): Promise<void>;
  /** Asks the Eviction API. Resolves when the request was accepted. */
  evictPod(signal: AbortSignal): Promise<void>;
  /** Scales the owning Deployment to zero. Resolves when the request was accepted. */
  scaleToZero(signal: AbortSignal): Promise<void>;
}

/** A way of asking for the pod's end. */
export interface Trigger {
  readonly name: string;
  readonly description: string;
  readonly requires: readonly Requirement[];
  /** Whether the Deployment starts another pod in place of the one that ends. */
  readonly isReplaced: boolean;
  fire(termination: Termination, signal: AbortSignal): Promise<void>;
}
