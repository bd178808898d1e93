import type { ArmAggregate } from './aggregate.ts';
import type { Protocol } from './flow.ts';

/** What a flow's end is told by: the thing that happened right before it. */
export type EndAnchor =
  'pod-killed' | 'pod-exited' | 'replacement-ready' | 'endpoint-removed' | 'endpoint-not-ready' | 'sigterm';

/** In the order in which one is preferred where several lie about the end. */
const anchors: readonly { readonly anchor: EndAnchor; readonly metric: string }[] = [
  { anchor: 'pod-exited', metric: 'trigger-to-probe-exit' },
  { anchor: 'replacement-ready', metric: 'trigger-to-replacement-ready' },
  { anchor: 'endpoint-removed', metric: 'trigger-to-endpoint-removed' },
  { anchor: 'endpoint-not-ready', metric: 'trigger-to-ready-false' },
  { anchor: 'sigterm', metric: 'trigger-to-sigterm' },
];

const ends: Readonly<Record<Protocol, string>> = {
  tcp: 'trigger-to-last-tcp-end',
  udp: 'trigger-to-first-udp-end',
};

/** 128 + SIGKILL, as Kubernetes reports it. */
const killedExitCode = 137;

/** What comes later was hardly waited for: two of kube-proxy's default times between syncs (`minSyncPeriod`). */
const longestWaitMs = 2_000;

export interface AnchorConditions {
  readonly gracePeriodSeconds: number;
  /** Two times this near are of one moment. */
  readonly nearMs: number;
}

/**
 * What happened right before the flows of an arm ended (the last TCP flow, the first UDP one), trial by trial. Of what
 * lies within `nearMs` of the end the pod's own end counts first; else the last thing in the two seconds before it counts.
 * That one came right after the other does not prove that it came of it. Null where nothing did, or the trials don't agree.
 */
export function endAnchor(arm: ArmAggregate, protocol: Protocol, conditions: AnchorConditions): EndAnchor | null {
  const valuesOf = valuesByTrial(arm);
  const endsMs = valuesOf(ends[protocol]);
  // once for all trials: a run may have a thousand of an arm
  const anchorTimes = anchors.map(({ anchor, metric }) => ({ anchor, timesMs: valuesOf(metric) }));
  const found = arm.trials.flatMap(({ id, exitCode }) => {
    const endMs = endsMs.get(id);
    if (endMs === undefined) return [];
    const killed = exitCode.status === 'measured' && exitCode.value === killedExitCode;
    const times = [
      ...(killed ? [{ anchor: 'pod-killed' as const, tMs: conditions.gracePeriodSeconds * 1000 }] : []),
      ...anchorTimes.flatMap(({ anchor, timesMs }) => {
        const tMs = timesMs.get(id);
        return tMs === undefined ? [] : [{ anchor, tMs }];
      }),
    ];
    const near = times.find(({ tMs }) => Math.abs(endMs - tMs) <= conditions.nearMs);
    const before = times
      .filter(({ tMs }) => tMs <= endMs && endMs - tMs <= longestWaitMs)
      .toSorted((a, b) => b.tMs - a.tMs);
    return [(near ?? before[0])?.anchor ?? null];
  });
  const [first, ...others] = new Set(found);
  return first === undefined || others.length > 0 || found.length < arm.trials.length ? null : first;
}

/** A metric's value of each trial that measured it; none where it can't be told whose value is whose. */
export function valuesByTrial({ trials, metrics }: ArmAggregate): (metric: string) => ReadonlyMap<string, number> {
  return (name) => {
    const found = metrics.find(({ metric }) => metric === name);
    if (found?.summary.status !== 'measured') return new Map();
    const absent = new Set(found.notMeasured.map(({ trial }) => trial));
    const measured = trials.filter(({ id }) => !absent.has(id));
    const { values } = found.summary.value;
    if (measured.length !== values.length) return new Map();
    return new Map(measured.flatMap(({ id }, index) => (values[index] === undefined ? [] : [[id, values[index]]])));
  };
}
