import type { DelaySummary, GeneratorFacts } from './client.ts';
import type { Environment } from './environment.ts';
import type { EventName, TimelineEvent } from './event.ts';
import type { Flow } from './flow.ts';
import type { Matrix } from './matrix.ts';
import type { Measured } from './measured.ts';
import type { NewConnectionSeries } from './new-connections.ts';
import type { PreflightResult } from './preflight.ts';
import type { MomentQuality } from './quality.ts';
import type { Scenario } from './scenario.ts';
import type { Precision } from './time.ts';
import type { TrialEvidence } from './trial-evidence.ts';

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
  | 'gracePeriodSeconds'
  | 'flows'
  | 'tcpHeartbeatMs'
  | 'udpIntervalMs'
  | 'newConnectionIntervalMs'
  | 'evidence'
  | 'settleSeconds'
  | 'trailingSeconds'
> & {
  readonly drainSeconds: number;
  /** A TCP flow without an answer for this long is a read time-out. */
  readonly tcpReadTimeoutMs: number;
  /** A UDP flow without an answer for this long is severed by silence. */
  readonly udpSilenceMs: number;
  /** A new connection without an answer for this long has failed. */
  readonly newConnectionLimitMs: number;
};

/** What a trial shared its cluster with. */
export interface Isolation {
  /** Trials that held flows on the cluster at once, at most; 1: the trial had the cluster for itself. */
  readonly lanes: number;
  /** Least time from one trial's critical moment to another's, ms; null for one lane, where none can meet. */
  readonly spacingMs: number | null;
}

/** A part of a trial; times are ms after the trigger. */
export interface PhaseSpan {
  readonly phase: string;
  readonly fromMs: number;
  readonly toMs: number;
}

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
  readonly isolation: Isolation;
  /** How the trial's time was spent; empty in reports that are older than it. Removal comes after the report. */
  readonly phases: readonly PhaseSpan[];
  /** How calm the machine was in the trial's critical moments. */
  readonly quality: Measured<readonly MomentQuality[]>;
  readonly clock: ClockEvidence;
  readonly preflight: readonly PreflightResult[];
  readonly timeline: readonly TimelineEvent[];
  /** Events that this trial's host can't observe at all, each with the reason: what needs them is not measured. */
  readonly unobservable: Unobservable;
  readonly flows: readonly Flow[];
  /** Connections that were dialled all along, by path and protocol. */
  readonly newConnections: Measured<readonly NewConnectionSeries[]>;
  /** What observers of the data plane and of the API server's writes saw; a flow's own is with the flow. */
  readonly evidence: Measured<TrialEvidence>;
  readonly container: Measured<ContainerEnd>;
  readonly client: {
    readonly eventLoopDelayMs: DelaySummary;
    /** How late the stamps were that the flows' ends rest on, at most; of all stamps where no flow ended. */
    readonly stampDelayMs: number;
    /** Of the client's thread; absent in reports that are older than it. */
    readonly threadNiceness?: number;
    readonly sendLatenessMs: Measured<DelaySummary>;
    /** Absent in reports that are older than it. */
    readonly generator?: GeneratorFacts;
  };
}

/**
 * How far a metric can be trusted. A time has the precision of its event. A difference of two may also be a
 * `lower-bound`, when it starts at a time of receipt: it lasted no shorter; or `unbounded`, when it lies between two of
 * them: it may have been shorter or longer.
 */
export type SamplePrecision = Precision['kind'] | 'lower-bound' | 'unbounded';

export interface MetricSample {
  readonly value: number;
  readonly precision: SamplePrecision;
}

/** A trial with everything derived from it and everything around it: the unit that is stored. */
export interface TrialReport {
  readonly schemaVersion: 1;
  readonly environment: Environment;
  readonly trial: Trial;
  readonly metrics: Readonly<Record<string, Measured<MetricSample>>>;
  /** Ways in which the trial is outside its scenario's expectation. */
  readonly unexpected: readonly string[];
  /** Parts of the expectation that can't be judged, as what they are about was not measured. */
  readonly inconclusive: readonly string[];
}

/** An attempt at a trial that could not be carried through. */
export interface TrialFailure {
  readonly trial: string;
  readonly arm: string;
  readonly reason: string;
  /** The trial could not even begin, for want of something: its arm is skipped, neither passed nor failed. */
  readonly unmetRequirement?: true;
}
