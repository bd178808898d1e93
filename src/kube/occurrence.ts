import type { EventName, EventPayloads } from '../domain/event.ts';

/** What happened, before anyone says when: the part of an event that objects and log lines determine. */
export type Occurrence = {
  readonly [N in EventName]: { readonly name: N; readonly payload: EventPayloads[N] };
}[EventName];
