import type { LevelConditions, VariedCondition } from './aa-level.ts';
import { comparedArms, type Comparison, type PooledMetric, type ShiftFinding } from './comparison.ts';
import { valueOf } from './measured.ts';

/** A level's conditions, and what it took. */
export interface AaLevel extends LevelConditions {
  readonly trials: number;
  /** Of its blocks together, without the cluster. */
  readonly seconds: number;
}

/**
 * The same trials under several conditions, each a level, in turns on one cluster. Nothing but these conditions differs,
 * so that a shift between two levels is of them.
 */
export interface AaResult {
  readonly schemaVersion: 1;
  readonly run: string;
  readonly varied: VariedCondition;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly repeats: number;
  readonly rounds: number;
  /** The first is the reference. */
  readonly levels: readonly AaLevel[];
  /** Every other level against the reference, in the order of the levels. */
  readonly comparisons: readonly LevelComparison[];
  readonly finding: ShiftFinding;
  /** The most lanes up to which every level is clean; null where not even the fewest are, and where lanes aren't varied. */
  readonly cleanUpToLanes: number | null;
}

/** One level against the reference. */
export interface LevelComparison extends LevelConditions {
  readonly comparison: Comparison;
  /** Over all arms together; absent in results that are older than it. */
  readonly pooled?: readonly PooledMetric[];
}

/**
 * What must be shown not to shift before so many trials may run at once, or be observed so closely: when the pod is told
 * to end, when its TCP flows end, and when it leaves the cluster. The others are compared and shown; a time of
 * kube-proxy's takes one of two values a second apart (its minSyncPeriod), of which no interval is narrow.
 */
export const gateMetrics = [
  'trigger-to-sigterm',
  'trigger-to-first-tcp-end',
  'trigger-to-last-tcp-end',
  'trigger-to-probe-exit',
  'trigger-to-container-terminated',
  'trigger-to-endpoint-removed',
  'dead-endpoint-window',
] as const;

/**
 * Of one level: shifted where any metric of any arm is, or of all arms together; clean where each of the gate's metrics is
 * shown not to shift over all arms together.
 */
export function levelFinding({ comparison, pooled }: LevelComparison): ShiftFinding {
  if (pooled === undefined) return comparison.finding;
  if (comparison.finding === 'shifted' || pooled.some(({ finding }) => finding === 'shifted')) return 'shifted';
  const isLacking = comparedArms(comparison).length < comparison.arms.length;
  const isClean = gateMetrics.every((name) => pooled.find(({ metric }) => metric === name)?.finding === 'no-shift');
  return isClean && !isLacking ? 'no-shift' : 'undecided';
}

/** The graver finding of all levels decides. */
export function aaFinding(comparisons: AaResult['comparisons']): ShiftFinding {
  const findings = comparisons.map(levelFinding);
  if (findings.includes('shifted')) return 'shifted';
  return findings.includes('undecided') || comparisons.length === 0 ? 'undecided' : 'no-shift';
}

export function cleanUpTo(comparisons: AaResult['comparisons']): number | null {
  const ascending = comparisons.toSorted((x, y) => x.lanes - y.lanes);
  const firstBad = ascending.findIndex((level) => levelFinding(level) !== 'no-shift');
  const clean = firstBad === -1 ? ascending : ascending.slice(0, firstBad);
  return clean.at(-1)?.lanes ?? null;
}

/**
 * The most lanes up to which no metric is shown to shift and none of the gate's shifts, as estimated over all arms
 * together, is beyond its floor; null where that holds of no level. Weaker than clean: an interval may still reach beyond.
 */
export function withinFloorsUpTo(comparisons: AaResult['comparisons']): number | null {
  const ascending = comparisons.toSorted((x, y) => x.lanes - y.lanes);
  const firstBad = ascending.findIndex((level) => !isWithinFloors(level));
  const within = firstBad === -1 ? ascending : ascending.slice(0, firstBad);
  return within.at(-1)?.lanes ?? null;
}

/** Whether no metric is shown to shift, and none of the gate's shifts, as estimated over all arms together, is beyond its floor. */
export function isWithinFloors(level: LevelComparison): boolean {
  if (levelFinding(level) === 'shifted') return false;
  return gateMetrics.every((name) => {
    const metric = level.pooled?.find((candidate) => candidate.metric === name);
    const shift = metric && valueOf(metric.shift);
    return shift !== undefined && metric?.floorMs != null && Math.abs(shift.shift) <= metric.floorMs;
  });
}
