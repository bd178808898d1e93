import type { Environment } from '../domain/environment.ts';
import type { TrialReport } from '../domain/trial.ts';

export type TrialPhase =
  'deploying' | 'opening-flows' | 'settling' | 'observing' | 'trailing' | 'collecting' | 'removing';

/** What an experiment tells while it runs. Plain data: an entry point words it. */
export type Progress =
  | { readonly kind: 'cluster-opening'; readonly cluster: string; readonly arms: readonly string[] }
  | {
      readonly kind: 'cluster-ready';
      readonly cluster: string;
      readonly environment: Environment;
      readonly seconds: number;
    }
  | { readonly kind: 'cluster-closing'; readonly cluster: string }
  | {
      readonly kind: 'trial-phase';
      readonly trial: string;
      readonly phase: TrialPhase;
      /** How long the phase takes at most; null when unknown. */
      readonly seconds: number | null;
    }
  | {
      readonly kind: 'trial-ended';
      readonly report: TrialReport;
      readonly done: number;
      readonly planned: number;
      readonly remainingSeconds: number;
    }
  /** Something that was made is still there: what was measured is not touched by it. */
  | { readonly kind: 'removal-failed'; readonly what: string; readonly reason: string }
  /** What was captured of a trial is not in the run's folder; what was measured of it is. */
  | { readonly kind: 'captures-lost'; readonly trial: string; readonly reason: string }
  /** It is kept apart and measured again. */
  | { readonly kind: 'trial-disturbed'; readonly trial: string; readonly reasons: readonly string[] }
  | { readonly kind: 'trial-failed'; readonly trial: string; readonly reason: string }
  | {
      readonly kind: 'arm-absent';
      readonly arm: string;
      readonly status: 'skipped' | 'discarded';
      readonly reason: string;
    };

export type ProgressSink = (progress: Progress) => void;
