import { isDeepStrictEqual } from 'node:util';
import { pointOf } from '../domain/detection.ts';
import type { TimelineEvent } from '../domain/event.ts';
import type { Commit } from '../domain/evidence.ts';

export interface MatchedCommits {
  /** The timeline, with the commits at the events that tell of them. */
  readonly timeline: readonly TimelineEvent[];
  /** Commits of which no event tells. */
  readonly unreceived: readonly Commit[];
}

/**
 * Finds the write behind each event: of the same name and of the same content. Word of a write can't come before its
 * request; of those that are left, the latest is meant, as a watch tells in order and may leave out what a later write
 * made obsolete.
 */
export function matchCommits(
  timeline: readonly TimelineEvent[],
  commits: readonly Commit[],
  place: (clientNs: bigint) => number,
): MatchedCommits {
  const left = new Set(commits);
  const found = new Map<TimelineEvent, Commit>();
  for (const event of timeline.toReversed()) {
    if (event.source !== 'kubernetes') continue;
    const commit = [...left]
      .reverse()
      .find(
        ({ name, payload, at }) =>
          name === event.name && place(at.earliestNs) <= event.at.tMs && isDeepStrictEqual(payload, event.payload),
      );
    if (commit === undefined) continue;
    left.delete(commit);
    found.set(event, commit);
  }
  return {
    timeline: timeline.map((event) => {
      const commit = found.get(event);
      return commit === undefined ? event : { ...event, committed: { at: pointOf(commit.at, place), by: commit.by } };
    }),
    unreceived: [...left],
  };
}
