import type { Protocol } from '../domain/flow.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { NewConnectionSummary } from '../domain/new-connections.ts';
import type { TimelinePoint } from '../domain/time.ts';
import type { MetricSample, Trial } from '../domain/trial.ts';

/** When the first and the last new connection failed, from the host to the node. */
export const firstNewFailure = (trial: Trial, protocol: Protocol): Measured<MetricSample> =>
  timeIn(trial, protocol, ({ firstFailure }) => firstFailure, 'failed after the trigger');

export const lastNewFailure = (trial: Trial, protocol: Protocol): Measured<MetricSample> =>
  timeIn(trial, protocol, ({ lastFailure }) => lastFailure, 'failed after the trigger');

/** When the trial's pod last answered a new connection. */
export const lastNewAnswer = (trial: Trial, protocol: Protocol): Measured<MetricSample> =>
  timeIn(trial, protocol, ({ lastAnswerOfPod }) => lastAnswerOfPod, 'was answered by the pod after the trigger');

/** The dead-endpoint window as clients met it (`FailureWindow`); 0 where every attempt was answered. */
export function newFailureWindow(trial: Trial, protocol: Protocol): Measured<MetricSample> {
  const seen = seenOf(trial, protocol);
  if (seen.status === 'not-measured') return seen;
  const window = seen.value.failureWindow;
  return window.status === 'measured' ? measured({ value: window.value.ms, precision: 'bounded' }) : window;
}

function timeIn(
  trial: Trial,
  protocol: Protocol,
  read: (summary: NewConnectionSummary) => TimelinePoint | null,
  happening: string,
): Measured<MetricSample> {
  const seen = seenOf(trial, protocol);
  if (seen.status === 'not-measured') return seen;
  const point = read(seen.value);
  if (point === null) return notMeasured(`no new ${nameOf(protocol)} ${happening}`);
  return measured({ value: point.tMs, precision: point.precision.kind });
}

const nameOf = (protocol: Protocol): string => (protocol === 'tcp' ? 'TCP connection' : 'UDP exchange');

function seenOf({ newConnections }: Trial, protocol: Protocol): Measured<NewConnectionSummary> {
  if (newConnections.status === 'not-measured') return newConnections;
  const series = newConnections.value.find((one) => one.path === 'host-node' && one.protocol === protocol);
  return series?.seen ?? notMeasured(`no new ${nameOf(protocol)} was dialled from the host to the node`);
}
