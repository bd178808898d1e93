import type { TimelineEvent } from '../../domain/event.ts';
import { valueOf } from '../../domain/measured.ts';
import { observed } from '../../domain/observed-evidence.ts';
import type { Trial } from '../../domain/trial.ts';
import type { StoryLine } from './story.ts';

/** The trial's events, but for those of its flows and of what came before the trigger. */
export function eventLines(trial: Trial): readonly StoryLine[] {
  const told = trial.timeline.flatMap((event): readonly StoryLine[] => {
    const what = event.at.tMs < 0 ? undefined : words(event, trial.pod);
    if (what === undefined) return [];
    const { committed, at } = event;
    if (committed === undefined) return [{ at, what, seenBy: observerOf(event) }];
    const seenBy = `audit log, by ${writerOf(committed.by)}; a watch at ${at.tMs.toFixed(1)} ms`;
    return [{ at: committed.at, what, seenBy }];
  });
  return [...told, ...unreceived(trial)];
}

/** Writes that no watch told of. */
function unreceived(trial: Trial): readonly StoryLine[] {
  return (valueOf(observed(trial, 'commits'))?.unreceived ?? []).map((commit) => ({
    at: commit.at,
    what: `${commit.name} of ${commit.pod === trial.pod ? 'the pod' : 'another pod'} was written, and no watch told of it`,
    seenBy: `audit log, by ${writerOf(commit.by)}`,
  }));
}

/** A user name of Kubernetes without what all of their kind share; a node's is its kubelet's. */
const writerOf = (user: string): string =>
  user.startsWith('system:node:') ? 'the kubelet' : (user.split(':').at(-1) ?? user);

const observers: Readonly<Record<TimelineEvent['source'], string>> = {
  orchestrator: 'this tool',
  client: 'the client',
  kubernetes: 'a watch',
  probe: 'the probe',
};
const observerOf = ({ source }: TimelineEvent): string => observers[source];

function words(event: TimelineEvent, pod: string): string | undefined {
  const isOwn = !('pod' in event.payload) || event.payload.pod === pod;
  const whose = isOwn ? 'the pod' : 'the other pod';
  switch (event.name) {
    case 'trigger-issued':
      return `the request to ${event.payload.trigger} goes out`;
    case 'trigger-accepted':
      return 'the request is answered';
    case 'sigterm-received':
      return 'SIGTERM reaches the program';
    case 'readiness-withdrawn':
      return 'the program answers its readiness check with 503 from here on';
    case 'close-announced':
      return `the program says bye on ${event.payload.connections} connections`;
    case 'probe-exiting':
      return `the program exits with ${event.payload.exitCode}`;
    case 'sigkill-sent':
      return 'SIGKILL is sent';
    case 'process-exited':
      return `the process has ended with ${event.payload.exitCode}`;
    case 'pod-terminating':
      return `${whose} has a deletion timestamp`;
    case 'pod-ready':
      return `${whose} is Ready`;
    case 'pod-not-ready':
      return `${whose} is not Ready`;
    case 'container-terminated':
      return `${whose}’s container has terminated with ${event.payload.exitCode}`;
    case 'pod-deleted':
      return `the object of ${whose} is gone`;
    case 'endpoint-ready':
      return `the EndpointSlice has ${whose} as ready`;
    case 'endpoint-not-ready':
      return `the EndpointSlice says ready=false of ${whose}${stateOf(event.payload)}`;
    case 'endpoint-removed':
      return `the EndpointSlice has lost ${whose}`;
    case 'watch-interrupted':
      return `the watch of ${event.payload.resource} broke: ${event.payload.reason}`;
    case 'watch-resumed':
      return `the watch of ${event.payload.resource} is back after ${event.payload.gapMs.toFixed(0)} ms`;
    // told with the flows, and the end of looking is no event of the pod
    case 'flow-ended':
    case 'flow-rehomed':
    case 'observation-closed':
      return undefined;
    default:
      return event satisfies never;
  }
}

const stateOf = ({
  serving,
  terminating,
}: {
  readonly serving: boolean | null;
  readonly terminating: boolean | null;
}) =>
  serving === null && terminating === null ? '' : ` (serving=${String(serving)}, terminating=${String(terminating)})`;
