import type { DelaySummary } from './client.ts';
import type { Environment } from './environment.ts';
import type { EventName, TimelineEvent } from './event.ts';
import type { Flow } from './flow.ts';
import type { Matrix } from './matrix.ts';
import type { Measured } from './measured.ts';
import type { PreflightResult } from './preflight.ts';
import type { Scenario } from './scenario.ts';
import type { Precision } from './time.ts';

/** One combination of the factors. */
export interface Arm {
  /** The factors' levels joined by dots, as `drain.iptables`. */
  readonly id: string;
  readonly scenario: string;
  readonly proxyMode: string | null;
  readonly kubernetesVersion: string | null;
}

/** How the probe's clock relates to the client's. */
export type ClockEvidence =
  | {
      readonly relation: 'same-kernel';
      readonly bootId: string;
      readonly probeOffsetNs: string;
      readonly clientOffsetNs: string;
    }
  | { readonly relation: 'bounded'; readonly widthMs: number; readonly exchanges: number; readonly reason: string }
  | { readonly relation: 'unrelated'; readonly reason: string };

export type TrialPurpose = 'measured' | 'warm-up';

/** What a trial shares with the others of its run. */
export type Conditions = Pick<
  Matrix,
  'gracePeriodSeconds' | 'flows' | 'tcpHeartbeatMs' | 'udpIntervalMs' | 'settleSeconds' | 'trailingSeconds'
> & { readonly drainSeconds: number };

export type Unobservable = Readonly<Partial<Record<EventName, string>>>;

/** How the container, or the process in its place, ended. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly signal: number | null;
  readonly reason: string | null;
}

/** A trial as judged: what metrics and verdicts read. */
export interface Trial {
  readonly id: string;
  readonly arm: Arm;
  readonly repeat: number;
  readonly purpose: TrialPurpose;
  /** Ran first on a fresh cluster, where images, caches and addresses are cold. */
  readonly firstOnCluster: boolean;
  readonly startedAt: string;
  readonly pod: string;
  readonly scenario: Scenario;
  readonly conditions: Conditions;
  readonly clock: ClockEvidence;
  readonly preflight: readonly PreflightResult[];
  readonly timeline: readonly TimelineEvent[];
  /** Events that this trial's host can't observe at all, each with the reason: what needs them is not measured. */
  readonly unobservable: Unobservable;
  readonly flows: readonly Flow[];
  readonly container: Measured<ContainerEnd>;
  readonly client: { readonly eventLoopDelayMs: DelaySummary; readonly sendLatenessMs: DelaySummary };
}

export interface MetricSample {
  readonly value: number;
  readonly precision: Precision['kind'];
}

/** A trial with everything derived from it and everything around it: the unit that is stored. */
export interface TrialReport {
  readonly schemaVersion: 1;
  readonly environment: Environment;
  readonly trial: Trial;
  readonly metrics: Readonly<Record<string, Measured<MetricSample>>>;
  /** Empty when the trial is within its scenario's expectation. */
  readonly unexpected: readonly string[];
}
