import type { ClockExchanges } from '../domain/client.ts';
import type { ClockReading, TimelineClock, TimelinePoint } from '../domain/time.ts';
import type { ClockEvidence } from '../domain/trial.ts';
import type { ProbeClock } from '../domain/workload.ts';
import type { ClientClock } from './client-clock.ts';
import { ClockBounds } from './clock-bounds.ts';
import { clockDomain } from './clock-domain.ts';

const nanosecondsPerMs = 1e6;

const msBetween = (from: bigint, to: bigint) => Number(to - from) / nanosecondsPerMs;

/** How readings of the probe's clock relate to the client's. */
export interface ClockRelation {
  readonly evidence: ClockEvidence;
  /** Places a reading of the probe's clock, in milliseconds after the origin; undefined where it can't be placed. */
  readonly place: (probeNs: bigint) => TimelinePoint | undefined;
}

/**
 * Proves one clock where both sides' facts allow it, else bounds the probe's times by the exchanges that were seen.
 * `origin` is a reading of the client's clock.
 */
export function relateClocks(
  origin: ClockReading,
  probe: ProbeClock,
  client: ClientClock,
  exchanges: ClockExchanges | null,
): ClockRelation {
  const { bootId, timeNamespaceOffsetNs: clientOffset } = client;
  const probeOffset = probe.timeNamespaceOffsetNs;
  if (bootId !== null && bootId === probe.bootId && clientOffset !== null && probeOffset !== null) {
    const shiftNs = probeOffset - clientOffset;
    return {
      evidence: { relation: 'same-kernel', bootId, probeOffsetNs: `${probeOffset}`, clientOffsetNs: `${clientOffset}` },
      place: (probeNs) => exactAt(msBetween(origin.monotonicNs, probeNs - shiftNs)),
    };
  }
  return boundClocks(origin, doubtOf(probe, client), exchanges);
}

function doubtOf(probe: ProbeClock, client: ClientClock): string {
  if (probe.bootId === null) return 'the probe’s kernel has no boot_id';
  if (client.bootId === null) return 'the client’s kernel has no boot_id';
  if (probe.bootId === client.bootId) return 'a time-namespace offset could not be read';
  return 'the probe runs on another kernel (boot_id differs)';
}

function boundClocks(origin: ClockReading, doubt: string, exchanges: ClockExchanges | null): ClockRelation {
  if (exchanges === null) return unrelated(`${doubt}, and no exchange with it alone was seen`);
  const bounds = new ClockBounds(origin.monotonicNs, exchanges.kept);
  const widthNs = bounds.greatestWidthNs();
  if (widthNs === undefined) return unrelated(`${doubt}, and the exchanges contradict each other`);
  return {
    evidence: {
      relation: 'bounded',
      widthMs: widthNs / nanosecondsPerMs,
      exchanges: exchanges.count,
      reason: doubt,
    },
    place: (probeNs) => {
      const interval = bounds.at(probeNs);
      if (interval === undefined) return undefined;
      return boundedAt(interval.earliestNs / nanosecondsPerMs, interval.latestNs / nanosecondsPerMs);
    },
  };
}

const unrelated = (reason: string): ClockRelation => ({
  evidence: { relation: 'unrelated', reason },
  place: () => undefined,
});

/** The timeline of one trial: zero is `origin`, a reading of the client's clock. */
export function createTimelineClock(origin: ClockReading, probe: ProbeClock, relation: ClockRelation): TimelineClock {
  const probeDomain = clockDomain(probe);
  return {
    origin,
    place({ domain, monotonicNs }) {
      if (domain === origin.domain) return exactAt(msBetween(origin.monotonicNs, monotonicNs));
      return domain === probeDomain ? relation.place(monotonicNs) : undefined;
    },
  };
}

const exactAt = (tMs: number): TimelinePoint => ({ tMs, precision: { kind: 'exact' } });

/** The middle of what the bounds allow. */
function boundedAt(earliestMs: number, latestMs: number): TimelinePoint {
  const half = (latestMs - earliestMs) / 2;
  return { tMs: earliestMs + half, precision: { kind: 'bounded', earlyMs: half, lateMs: half } };
}

/** A reading that a receipt stamped: it happened no later than that. */
export const asUpperBound = ({ tMs }: TimelinePoint): TimelinePoint => ({ tMs, precision: { kind: 'upper-bound' } });
