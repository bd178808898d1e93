import { setTimeout as delay } from 'node:timers/promises';
import type { Workload } from '../domain/workload.ts';
import { probeClockOf } from '../timeline/probe-log.ts';
import { endpointsByPod } from './endpoint-state.ts';
import type { Observation } from './observation.ts';
import { type PreflightSubject, preflight } from './preflight.ts';
import type { PodState } from './pod-state.ts';
import type { ProbeWatch } from './probe-watch.ts';
import { kubernetesTermination } from './termination.ts';

/** Once the pod object is gone, its endpoint's removal and its log's end are not waited for longer than this. */
const stragglersMs = 10_000;

/** Where a workload is, and how it is reached. */
interface Reach extends Pick<Workload, 'endpoint'> {
  readonly otherPaths: Workload['otherPaths'] | undefined;
  readonly pod: Pick<PodState, 'podIp' | 'containerId'>;
}

/** A deployed probe. `remove` undoes the deployment. */
export function createWorkload(
  subject: PreflightSubject,
  { endpoint, otherPaths, pod: { podIp, containerId } }: Reach,
  probe: ProbeWatch,
  remove: () => Promise<void>,
): Workload {
  const disposing = new AbortController();
  const { api, names, pod, node, observation, started } = subject;
  return {
    pod,
    identity: started.identity,
    endpoint,
    ...(otherPaths === undefined ? {} : { otherPaths }),
    ...(podIp === null ? {} : { placement: { namespace: names.namespace, podAddress: podIp, node, containerId } }),
    clock: probeClockOf(started),
    termination: kubernetesTermination(api, names, pod),
    preflight: (signal) => preflight(subject, signal),
    get unobserved() {
      return observation.missedOf(pod);
    },
    gone: untilGone(observation, probe, pod, disposing.signal),
    async leave() {
      disposing.abort();
      await Promise.all([probe.stop(), observation.stop()]);
    },
    async [Symbol.asyncDispose]() {
      disposing.abort();
      await remove();
    },
  };
}

async function untilGone(observation: Observation, probe: ProbeWatch, pod: string, signal: AbortSignal): Promise<void> {
  const settled = new AbortController();
  const limited = AbortSignal.any([signal, settled.signal]);
  const until = (what: string, isSo: () => boolean) =>
    observation.until({ what, evaluate: () => (isSo() ? true : undefined), withinMs: Infinity }, limited);
  try {
    await until('the pod is gone', () => !observation.view.pods.has(pod));
    const told = Promise.all([
      until('its endpoint is removed', () => !endpointsByPod(observation.view.slices).has(pod)),
      probe.ended,
    ]);
    await Promise.race([told, delay(stragglersMs, undefined, { signal: limited })]);
  } catch {
    // disposed of before it was gone
  } finally {
    settled.abort();
  }
}
