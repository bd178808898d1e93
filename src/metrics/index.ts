import { Registry } from '../domain/registry.ts';
import { clearingToUdpRehome } from './clearing-to-udp-rehome.ts';
import { deadEndpointWindow } from './dead-endpoint-window.ts';
import { drainLeftAtUdpRehome } from './drain-left-at-udp-rehome.ts';
import { firstUdpEndMinusExit } from './first-udp-end-minus-exit.ts';
import { greatestWatchDelay } from './greatest-watch-delay.ts';
import { lastUdpEndMinusExit } from './last-udp-end-minus-exit.ts';
import { medianWatchDelay } from './median-watch-delay.ts';
import { newTcpFailureWindow } from './new-tcp-failure-window.ts';
import { newTcpFirstFailure } from './new-tcp-first-failure.ts';
import { newTcpLastAnswer } from './new-tcp-last-answer.ts';
import { newTcpLastFailure } from './new-tcp-last-failure.ts';
import { newUdpFailureWindow } from './new-udp-failure-window.ts';
import { newUdpFirstFailure } from './new-udp-first-failure.ts';
import { newUdpLastAnswer } from './new-udp-last-answer.ts';
import { newUdpLastFailure } from './new-udp-last-failure.ts';
import { sigtermToEndpointRemoved } from './sigterm-to-endpoint-removed.ts';
import { sigtermToReadyFalse } from './sigterm-to-ready-false.ts';
import { stopRequestedToSigterm } from './stop-requested-to-sigterm.ts';
import { tcpEndDetection } from './tcp-end-detection.ts';
import { triggerToContainerTerminated } from './trigger-to-container-terminated.ts';
import { triggerToEndpointRemovedCommit } from './trigger-to-endpoint-removed-commit.ts';
import { triggerToEndpointRemoved } from './trigger-to-endpoint-removed.ts';
import { triggerToFirstTcpEnd } from './trigger-to-first-tcp-end.ts';
import { triggerToFirstUdpEnd } from './trigger-to-first-udp-end.ts';
import { triggerToFirstUdpRehome } from './trigger-to-first-udp-rehome.ts';
import { triggerToLastTcpEnd } from './trigger-to-last-tcp-end.ts';
import { triggerToLastUdpEnd } from './trigger-to-last-udp-end.ts';
import { triggerToProbeExit } from './trigger-to-probe-exit.ts';
import { triggerToReadyFalseCommit } from './trigger-to-ready-false-commit.ts';
import { triggerToReadyFalse } from './trigger-to-ready-false.ts';
import { triggerToReplacementReady } from './trigger-to-replacement-ready.ts';
import { triggerToRulesChanged } from './trigger-to-rules-changed.ts';
import { triggerToRuntimeExit } from './trigger-to-runtime-exit.ts';
import { triggerToSigterm } from './trigger-to-sigterm.ts';
import { triggerToStopRequested } from './trigger-to-stop-requested.ts';
import { triggerToUdpEntriesCleared } from './trigger-to-udp-entries-cleared.ts';
import { udpRehomeDetection } from './udp-rehome-detection.ts';

/** In the order of tables: times after the trigger first, then windows between two events of one trial. */
export const metrics = new Registry('metric', [
  triggerToSigterm,
  triggerToReadyFalse,
  triggerToFirstTcpEnd,
  triggerToLastTcpEnd,
  triggerToFirstUdpEnd,
  triggerToLastUdpEnd,
  triggerToFirstUdpRehome,
  triggerToReplacementReady,
  triggerToProbeExit,
  triggerToContainerTerminated,
  triggerToEndpointRemoved,
  deadEndpointWindow,
  sigtermToReadyFalse,
  sigtermToEndpointRemoved,
  firstUdpEndMinusExit,
  lastUdpEndMinusExit,
  drainLeftAtUdpRehome,
  newTcpFailureWindow,
  newUdpFailureWindow,
  newTcpFirstFailure,
  newUdpFirstFailure,
  newTcpLastFailure,
  newUdpLastFailure,
  newTcpLastAnswer,
  newUdpLastAnswer,
  triggerToStopRequested,
  stopRequestedToSigterm,
  triggerToRuntimeExit,
  triggerToReadyFalseCommit,
  triggerToEndpointRemovedCommit,
  triggerToRulesChanged,
  triggerToUdpEntriesCleared,
  clearingToUdpRehome,
  greatestWatchDelay,
  medianWatchDelay,
  tcpEndDetection,
  udpRehomeDetection,
]);
