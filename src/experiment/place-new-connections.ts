import type { TimelineEvent } from '../domain/event.ts';
import { judgeNewConnections } from '../domain/judge-new-connections.ts';
import { mapMeasured, measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { AttemptRecord, NewConnectionSeries } from '../domain/new-connections.ts';
import { relateClocks } from '../timeline/timeline-clock.ts';
import type { Observations } from './judge-trial.ts';

/** Judges what was dialled, each path on the timeline of the trial. */
export function placeNewConnections(
  observed: Observations,
  timeline: readonly TimelineEvent[],
): Measured<readonly NewConnectionSeries[]> {
  const notReadyMs = readyFalse(observed, timeline);
  return mapMeasured(observed.newConnections, (records) =>
    records.map(({ path, protocol, seen }) => {
      if (seen.status === 'not-measured') return { path, protocol, seen };
      const place = placerOf(seen.value, observed);
      if (place.status === 'not-measured') return { path, protocol, seen: place };
      const context = { place: place.value, pod: observed.pod, notReadyMs };
      return { path, protocol, seen: judgeNewConnections(seen.value.attempts, context) };
    }),
  );
}

function readyFalse({ pod, unobservable }: Observations, timeline: readonly TimelineEvent[]): Measured<number> {
  const event = timeline.find((one) => one.name === 'endpoint-not-ready' && one.payload.pod === pod && one.at.tMs >= 0);
  if (event !== undefined) return measured(event.at.tMs);
  return notMeasured(unobservable['endpoint-not-ready'] ?? 'ready=false was not observed after the trigger');
}

/** Attempts are placed exactly or not at all: a window of milliseconds is lost in the bounds of another machine's clock. */
function placerOf({ clock }: AttemptRecord, { origin, clientClock }: Observations): Measured<Placer> {
  if (clock === null) return measured((ns) => Number(ns - origin.monotonicNs) / 1e6);
  const { evidence, place } = relateClocks(origin, clock, clientClock, null);
  if (evidence.relation !== 'same-kernel') {
    return notMeasured('the client of this path runs on another kernel than the trial');
  }
  return measured((ns) => place(ns)?.tMs ?? NaN);
}

type Placer = (clientNs: bigint) => number;
