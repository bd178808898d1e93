import { podOf, type EventName, type EventPayloads } from '../domain/event.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { TimelinePoint } from '../domain/time.ts';
import type { MetricSample, Trial } from '../domain/trial.ts';
import { ofDifference } from './precision.ts';

/** Events that tell of one pod. */
export type PodEventName = {
  readonly [N in EventName]: EventPayloads[N] extends { readonly pod: string } ? N : never;
}[EventName];

/** When the trial's pod first met that event after the trigger, in milliseconds after it. */
export function timeOf(trial: Trial, name: PodEventName): Measured<MetricSample> {
  const event = trial.timeline.find((one) => one.name === name && podOf(one) === trial.pod && mayFollowTrigger(one.at));
  return event === undefined ? notMeasured(absence(trial, name)) : measured(sampleAt(event.at));
}

/** A bounded time may be placed a little before the trigger and yet have come after it. */
const mayFollowTrigger = ({ tMs, precision }: TimelinePoint): boolean =>
  tMs + (precision.kind === 'bounded' ? precision.lateMs : 0) >= 0;

function absence({ unobservable }: Trial, name: PodEventName): string {
  const reason = unobservable[name];
  return reason === undefined ? `${name} was not observed after the trigger` : `${name} can't be observed: ${reason}`;
}

const sampleAt = ({ tMs, precision }: TimelinePoint): MetricSample => ({
  value: tMs,
  precision: precision.kind,
});

/**
 * From one time to another of the same trial; negative when `to` came first. Both reasons where neither is known. The
 * bounds of a bounded time come on top of a difference that also rests on a time of receipt.
 */
export function elapsed(from: Measured<MetricSample>, to: Measured<MetricSample>): Measured<MetricSample> {
  if (from.status === 'measured' && to.status === 'measured') {
    const precision = ofDifference(from.value.precision, to.value.precision);
    return measured({ value: to.value.value - from.value.value, precision });
  }
  const reasons = [from, to].flatMap((time) => (time.status === 'not-measured' ? [time.reason] : []));
  return notMeasured([...new Set(reasons)].join('; '));
}
