import type { RawEvent, TimelineEvent } from '../domain/event.ts';
import type { TimelineClock } from '../domain/time.ts';
import { asUpperBound } from './timeline-clock.ts';

/** Raw events of all observers on one timeline, and those whose clock could not be placed on it. */
export interface MergedTimeline {
  readonly events: readonly TimelineEvent[];
  readonly unplaced: readonly RawEvent[];
}

/** Places every event, then orders by time; equal times keep the order in which they were appended. */
export function mergeTimeline(raw: readonly RawEvent[], clock: TimelineClock): MergedTimeline {
  const events: TimelineEvent[] = [];
  const unplaced: RawEvent[] = [];
  for (const event of raw) {
    const placed = place(event, clock);
    if (placed === undefined) unplaced.push(event);
    else events.push(placed);
  }
  return { events: events.toSorted((a, b) => a.at.tMs - b.at.tMs), unplaced };
}

function place(event: RawEvent, clock: TimelineClock): TimelineEvent | undefined {
  const { reading, stamp, ...rest } = event;
  const point = clock.place(reading);
  if (point === undefined) return undefined;
  return { ...rest, at: stamp === 'at-receipt' ? asUpperBound(point) : point };
}
