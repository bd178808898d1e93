import type { TimelineEvent } from '../../domain/event.ts';

/** What a reader calls an event; undefined for those that a picture of one trial leaves out. */
export function eventWords(event: TimelineEvent, pod: string): string | undefined {
  switch (event.name) {
    case 'trigger-accepted':
      return 'request accepted';
    case 'sigterm-received':
      return 'SIGTERM received';
    case 'readiness-withdrawn':
      return 'withdraws readiness';
    case 'close-announced':
      return 'announces the close';
    case 'probe-exiting':
      return `exits with ${event.payload.exitCode}`;
    case 'sigkill-sent':
      return 'SIGKILL sent';
    case 'process-exited':
      return `process ended, ${event.payload.exitCode}`;
    case 'pod-terminating':
      return 'pod terminating';
    case 'pod-not-ready':
      return event.payload.pod === pod ? 'pod not ready' : undefined;
    case 'pod-ready':
      return event.payload.pod === pod ? undefined : 'other pod ready';
    case 'container-terminated':
      return `container ended, ${event.payload.exitCode}`;
    case 'pod-deleted':
      return event.payload.pod === pod ? 'pod deleted' : undefined;
    case 'endpoint-ready':
      return event.payload.pod === pod ? undefined : 'other endpoint ready';
    case 'endpoint-not-ready':
      if (event.payload.pod !== pod) return undefined;
      return event.payload.serving === false ? 'serving = false' : 'ready = false';
    case 'endpoint-removed':
      return event.payload.pod === pod ? 'endpoint removed' : undefined;
    case 'watch-interrupted':
      return 'watch interrupted';
    case 'watch-resumed':
      return 'watch resumed';
    // the trigger and the flows are drawn, not named
    case 'trigger-issued':
    case 'flow-ended':
    case 'flow-rehomed':
    case 'observation-closed':
      return undefined;
    default:
      return event satisfies never;
  }
}
