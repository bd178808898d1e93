import type { OutcomeKind, Severance } from './flow.ts';

/** What the probe does on SIGTERM. The names are the probe's command-line values (probe/PROTOCOL.md). */
export const probeBehaviors = ['exit-now', 'drain', 'ignore', 'drain-ready'] as const;
export type ProbeBehavior = (typeof probeBehaviors)[number];

/** Something a provider must be able to give; where it can't, the arm is skipped with the reason. */
export const requirements = ['kubernetes-api', 'multi-node', 'node-exec', 'cluster-configuration'] as const;
export type Requirement = (typeof requirements)[number];

/** A way for flows to end; without `by` all severances of that kind. */
export interface ExpectedEnd {
  readonly kind: OutcomeKind;
  readonly by?: readonly Severance[];
}

/** What the published experiment and the documentation lead a reader to expect; a trial outside fails its arm. */
export interface Expectation {
  readonly tcp: ExpectedEnd & {
    /** Another way in which flows may end as well. */
    readonly or?: ExpectedEnd;
    /** No flow ends while the grace period, counted from the trigger, still runs. */
    readonly notBefore?: 'grace-period';
  };
  /** Exit code as Kubernetes reports it: 128 + signal for a container ended by a signal. */
  readonly exitCode: number;
}

/** What the workload does on SIGTERM and how it is asked to stop: data, no behaviour. */
export interface Scenario {
  readonly name: string;
  /** The arm's letter in the published run, where it was part of it. */
  readonly referenceArm: 'A' | 'B' | 'C' | 'D' | 'E' | null;
  /** A reader's label, as `drains · delete`. */
  readonly label: string;
  readonly summary: string;
  readonly behavior: ProbeBehavior;
  readonly trigger: string;
  /** Where held flows stay on their pod to its end; `expectationUnder` tells it for other data planes. */
  readonly expects: Expectation;
  readonly requires: readonly Requirement[];
  /** What the instrument itself causes and a reader must know. */
  readonly declares: readonly string[];
}

/** The probe drains until this long before the grace period ends, then announces, closes and exits. */
export const drainMarginSeconds = 5;
