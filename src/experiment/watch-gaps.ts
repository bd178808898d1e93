import type { WatchGap } from '../domain/aggregate.ts';
import type { EventName, EventOf, TimelineEvent } from '../domain/event.ts';
import { measured, notMeasured } from '../domain/measured.ts';

/** What a watch that is open again is told of what it missed comes at once, in a few milliseconds. */
const catchingUpMs = 250;

/** A watched resource's events. */
const events: Readonly<Partial<Record<EventName, string>>> = {
  'pod-terminating': 'pods',
  'pod-ready': 'pods',
  'pod-not-ready': 'pods',
  'container-terminated': 'pods',
  'pod-deleted': 'pods',
  'endpoint-ready': 'endpointslices',
  'endpoint-not-ready': 'endpointslices',
  'endpoint-removed': 'endpointslices',
};

/** Times after the trigger in which a watch was down. Pure. */
export function watchGapsOf(timeline: readonly TimelineEvent[]): readonly WatchGap[] {
  const gaps: WatchGap[] = [];
  const open = new Map<string, EventOf<'watch-interrupted'>>();
  for (const event of timeline) {
    if (event.name === 'watch-interrupted') open.set(event.payload.resource, event);
    if (event.name !== 'watch-resumed') continue;
    const { resource, gapMs } = event.payload;
    open.delete(resource);
    if (event.at.tMs < 0) continue;
    const until = event.at.tMs + catchingUpMs;
    gaps.push({
      resource,
      gapMs: measured(gapMs),
      late: eventsBetween(timeline, resource, event.at.tMs - gapMs, until),
    });
  }
  for (const [resource, { at, payload }] of open) {
    gaps.push({
      resource,
      gapMs: notMeasured(`it was not open again when the observation closed (${payload.reason})`),
      late: eventsBetween(timeline, resource, at.tMs, Infinity),
    });
  }
  return gaps;
}

const eventsBetween = (timeline: readonly TimelineEvent[], resource: string, fromMs: number, toMs: number) => [
  ...new Set(
    timeline
      .filter(({ name, at }) => events[name] === resource && at.tMs >= Math.max(fromMs, 0) && at.tMs <= toMs)
      .map(({ name }) => name),
  ),
];
