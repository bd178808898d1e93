import type { OffsetBounds } from '../domain/client.ts';
import type { ClockDomain, ClockReading, Precision, TimelineClock, TimelinePoint } from '../domain/time.ts';
import type { ClockEvidence } from '../domain/trial.ts';
import type { ProbeClock } from '../domain/workload.ts';
import type { ClientClock } from './client-clock.ts';
import { clockDomain } from './clock-domain.ts';

const nanosecondsPerMs = 1e6;

/**
 * How fast two disciplined clocks may drift apart, in seconds a second: the Linux kernel slews CLOCK_MONOTONIC by at
 * most 500 ppm (adjtimex(2), MAXFREQ), and so may either side.
 */
const maxDrift = 2 * 500e-6;

const msBetween = (from: bigint, to: bigint) => Number(to - from) / nanosecondsPerMs;

/** How readings of the probe's clock relate to the client's. */
export interface ClockRelation {
  readonly evidence: ClockEvidence;
  /** Undefined when the readings can't be placed at all. */
  readonly offset: { readonly lowNs: bigint; readonly highNs: bigint } | undefined;
}

/** Proves one clock where both sides' facts allow it, else bounds the offset by the exchanges that were seen. */
export function relateClocks(probe: ProbeClock, client: ClientClock, bounds: OffsetBounds | null): ClockRelation {
  const { bootId, timeNamespaceOffsetNs: clientOffset } = client;
  const probeOffset = probe.timeNamespaceOffsetNs;
  if (bootId === probe.bootId && clientOffset !== null && probeOffset !== null) {
    const exact = clientOffset === probeOffset ? 0n : probeOffset - clientOffset;
    return {
      evidence: { relation: 'same-kernel', bootId, probeOffsetNs: `${probeOffset}`, clientOffsetNs: `${clientOffset}` },
      offset: { lowNs: exact, highNs: exact },
    };
  }
  const reason =
    bootId === probe.bootId
      ? 'a time-namespace offset could not be read'
      : 'the probe runs on another kernel (boot_id differs)';
  if (bounds === null)
    return { evidence: { relation: 'unrelated', reason: `${reason}, and no exchange was seen` }, offset: undefined };
  if (bounds.lowNs > bounds.highNs) {
    return {
      evidence: { relation: 'unrelated', reason: `${reason}, and the exchanges contradict each other` },
      offset: undefined,
    };
  }
  return {
    evidence: {
      relation: 'bounded',
      widthMs: msBetween(bounds.lowNs, bounds.highNs),
      exchanges: bounds.exchanges,
      reason,
    },
    offset: bounds,
  };
}

/** The timeline of one trial: zero is `origin`, a reading of the client's clock. */
export function createTimelineClock(origin: ClockReading, probe: ProbeClock, relation: ClockRelation): TimelineClock {
  const probeDomain = clockDomain(probe.bootId, probe.timeNamespaceOffsetNs);
  return {
    origin,
    place({ domain, monotonicNs }) {
      if (domain === origin.domain) return exactAt(msBetween(origin.monotonicNs, monotonicNs));
      if (domain !== probeDomain || relation.offset === undefined) return undefined;
      const { lowNs, highNs } = relation.offset;
      if (lowNs === highNs) return exactAt(msBetween(origin.monotonicNs, monotonicNs - lowNs));
      return boundedAt(
        msBetween(origin.monotonicNs, monotonicNs - highNs),
        msBetween(origin.monotonicNs, monotonicNs - lowNs),
      );
    },
  };
}

const exactAt = (tMs: number): TimelinePoint => ({ tMs, precision: { kind: 'exact' } });

/** The middle of what the bounds allow, widened by the drift that the time since the trigger allows. */
function boundedAt(earliestMs: number, latestMs: number): TimelinePoint {
  const half = (latestMs - earliestMs) / 2 + maxDrift * Math.max(Math.abs(earliestMs), Math.abs(latestMs));
  const precision: Precision = { kind: 'bounded', earlyMs: half, lateMs: half };
  return { tMs: (earliestMs + latestMs) / 2, precision };
}

/** A reading that a receipt stamped: it happened no later than that. */
export const asUpperBound = ({ tMs }: TimelinePoint): TimelinePoint => ({ tMs, precision: { kind: 'upper-bound' } });

export const readingOf = (domain: ClockDomain, monotonicNs: bigint): ClockReading => ({ domain, monotonicNs });
