import { endOf } from './classify.ts';
import type { TimelineEvent } from './event.ts';
import type { Flow } from './flow.ts';

/** What a judged flow puts on its trial's timeline. */
export function flowEvents({ id, outcome, rehomed }: Flow): readonly TimelineEvent[] {
  const events: TimelineEvent[] = [];
  const at = endOf(outcome);
  if (at !== undefined) events.push({ name: 'flow-ended', source: 'client', at, payload: { flow: id } });
  if (rehomed !== null) {
    events.push({ name: 'flow-rehomed', source: 'client', at: rehomed.at, payload: { flow: id, pod: rehomed.to } });
  }
  return events;
}

/** The events and those of the flows, in the order of time; at the same time, those of the flows last. */
export const withFlowEvents = (events: readonly TimelineEvent[], flows: readonly Flow[]): readonly TimelineEvent[] =>
  [...events, ...flows.flatMap(flowEvents)].toSorted((a, b) => a.at.tMs - b.at.tMs);
