import type { EventSink } from '../domain/event.ts';
import { type ProbeStart, parseProbeLine, probeClockOf, probeEvent } from '../timeline/probe-log.ts';
import type { KubernetesApi } from './api.ts';
import { explainApiError } from './api-error.ts';
import { followLog } from './log-follower.ts';
import { probeContainer } from './manifests.ts';
import type { Observation } from './observation.ts';

/** The log of the pod that a trial is about, as events. */
export interface ProbeWatch {
  /** The probe's account of itself. Rejects when the log may not be read. */
  readonly started: Promise<ProbeStart>;
  /** The log was read to its end. Never rejects. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Reads the probe's log until the container ended, appending its lines as events on the probe's own clock. */
export function watchProbe(
  api: KubernetesApi,
  target: { readonly namespace: string; readonly pod: string },
  observation: Observation,
  sink: EventSink,
): ProbeWatch {
  const stopping = new AbortController();
  let start: ProbeStart | undefined;
  let ended: Promise<void> = Promise.resolve();
  const started = new Promise<ProbeStart>((resolve, reject) => {
    const onLine = (text: string) => {
      const line = parseProbeLine(text);
      if (line === undefined) return;
      if (line.event === 'started') {
        start = line;
        resolve(line);
      } else if (start !== undefined) {
        sink(probeEvent(line, target.pod, probeClockOf(start)));
      }
    };
    const hasEnded = () => {
      const pod = observation.view.pods.get(target.pod);
      return pod === undefined || (pod.terminated !== null && !pod.containerRunning);
    };
    const onRefused = (error: unknown) => {
      reject(explainApiError(`read the log of Pod ${target.pod}`, api.server, error));
    };
    const options = { ...target, config: api.config, container: probeContainer, hasEnded, onLine, onRefused };
    ended = followLog(options, stopping.signal);
  });
  // a deployment that failed elsewhere asks for it no more
  started.catch(() => undefined);
  return {
    started,
    ended,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
