import { endOf } from '../domain/classify.ts';
import type { Flow, Protocol } from '../domain/flow.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { TimelinePoint } from '../domain/time.ts';
import type { MetricSample, Trial } from '../domain/trial.ts';
import { weakest } from './precision.ts';

/**
 * When the first flow of a protocol ended. Unknown while the end of any is unknown, for that one may have been first;
 * flows that outlived the observation window don't matter.
 */
export function firstEnd(trial: Trial, protocol: Protocol): Measured<MetricSample> {
  const ends = knownEnds(trial, protocol);
  return ends.status === 'measured' ? extreme(ends.value, Math.min) : ends;
}

/** When the last flow of a protocol ended. Unknown unless all of them did. */
export function lastEnd(trial: Trial, protocol: Protocol): Measured<MetricSample> {
  const ends = knownEnds(trial, protocol);
  if (ends.status === 'not-measured') return ends;
  const total = flowsOf(trial, protocol).length;
  const outlived = total - ends.value.length;
  if (outlived === 0) return extreme(ends.value, Math.max);
  return notMeasured(`${outlived} of ${total} ${nameOf(protocol)} flows outlived the observation window`);
}

/** When another pod first answered a flow of that protocol, whether or not the flow had ended before. */
export function firstRehome(trial: Trial, protocol: Protocol): Measured<MetricSample> {
  const flows = flowsOf(trial, protocol);
  if (flows.length === 0) return holdsNone(protocol);
  const times = flows.flatMap(({ rehomed }) => (rehomed === null ? [] : [rehomed.at]));
  if (times.length === 0) return notMeasured(`no ${nameOf(protocol)} flow was answered by another pod`);
  return extreme(times, Math.min);
}

const nameOf = (protocol: Protocol): string => protocol.toUpperCase();

const holdsNone = (protocol: Protocol) => notMeasured(`the trial held no ${nameOf(protocol)} flow`);

const flowsOf = (trial: Trial, protocol: Protocol): readonly Flow[] =>
  trial.flows.filter((flow) => flow.protocol === protocol);

/** The ends of all flows that ended: at least one, and no other flow may have ended unseen. */
function knownEnds(trial: Trial, protocol: Protocol): Measured<readonly TimelinePoint[]> {
  const flows = flowsOf(trial, protocol);
  if (flows.length === 0) return holdsNone(protocol);
  const unknown = flows.flatMap(({ outcome }) => (outcome.kind === 'not-measured' ? [outcome.reason] : []));
  const [reason] = unknown;
  if (reason !== undefined) {
    const share = `${unknown.length} of ${flows.length} ${nameOf(protocol)} flows`;
    return notMeasured(`the end of ${share} was not measured: ${reason}`);
  }
  const times = flows.flatMap(({ outcome }) => endOf(outcome) ?? []);
  return times.length > 0
    ? measured(times)
    : notMeasured(`no ${nameOf(protocol)} flow ended in the observation window`);
}

/** The outermost time, as trustworthy as the weakest of all: one that was stamped late may be the true extreme. */
function extreme(
  times: readonly TimelinePoint[],
  outer: (one: number, other: number) => number,
): Measured<MetricSample> {
  return measured({
    value: times.map(({ tMs }) => tMs).reduce((one, other) => outer(one, other)),
    precision: weakest(times.map(({ precision }) => precision.kind)),
  });
}
