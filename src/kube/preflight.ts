import { randomUUID } from 'node:crypto';
import type { PreflightResult } from '../domain/preflight.ts';
import type { WorkloadSpec } from '../domain/workload.ts';
import { proxyModes } from '../proxy-modes/index.ts';
import type { ProbeStart } from '../timeline/probe-log.ts';
import { type KubernetesApi, asMergePatch } from './api.ts';
import { reasonOf } from './api-error.ts';
import { endpointsByPod } from './endpoint-state.ts';
import type { DataPlaneLook } from './data-plane.ts';
import { type WorkloadNames, markKey } from './manifests.ts';
import { type ClusterView, type Observation, describeView } from './observation.ts';

/** A running workload, and what preflight holds it against. */
export interface PreflightSubject {
  readonly api: KubernetesApi;
  readonly observation: Observation;
  readonly names: WorkloadNames;
  readonly spec: WorkloadSpec;
  readonly pod: string;
  readonly node: string;
  readonly started: ProbeStart;
  readonly requestedProxyMode: string | undefined;
  readonly lookAtDataPlane: DataPlaneLook;
}

const deliveredWithinMs = 10_000;

/**
 * Checks what must hold before the trigger; the watches first, as the rest is read from what they told.
 *
 * A changed pod is synced by its kubelet, whose next step waits for a look at the containers (PLEG, each second): a
 * trigger within some two seconds of this would get its SIGTERM about a second late. Settling after it prevents that.
 */
export async function preflight(subject: PreflightSubject, signal: AbortSignal): Promise<readonly PreflightResult[]> {
  const delivering = await watchesDelivering(subject, signal);
  const mode = await proxyMode(subject, signal);
  const { view } = subject.observation;
  return [
    podReady(view, subject.pod),
    delivering,
    endpointReady(view, subject.pod),
    mode,
    behavior(subject.spec, subject.started),
  ];
}

const met = (name: string, detail: string): PreflightResult => ({ name, status: 'met', detail });
const unmet = (name: string, detail: string): PreflightResult => ({ name, status: 'unmet', detail });

function podReady(view: ClusterView, pod: string): PreflightResult {
  const name = 'probe-pod-ready';
  const state = view.pods.get(pod);
  if (state?.ready !== true || state.terminating) return unmet(name, describeView(view));
  if (state.restarts > 0) return unmet(name, `the container of pod ${pod} restarted ${state.restarts} times`);
  return met(name, `pod ${pod} is ready on node ${state.node ?? 'unknown'}`);
}

function endpointReady(view: ClusterView, pod: string): PreflightResult {
  const name = 'service-endpoint-ready';
  const endpoints = endpointsByPod(view.slices);
  if (endpoints.get(pod)?.ready !== true) return unmet(name, describeView(view));
  const others = [...endpoints.keys()].filter((other) => other !== pod);
  if (others.length > 0) return unmet(name, `the Service has other endpoints too: ${others.join(', ')}`);
  return met(name, `${pod} is the Service's one endpoint, and ready`);
}

/** Changes an object under each watch and waits to hear of it. */
async function watchesDelivering(subject: PreflightSubject, signal: AbortSignal): Promise<PreflightResult> {
  const name = 'k8s-watches-delivering';
  const { observation, pod } = subject;
  const mark = randomUUID();
  try {
    await leaveMarks(subject, mark, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { name, status: 'unverifiable', detail: reasonOf(error) };
  }
  const heard = {
    what: 'the watches deliver a change',
    evaluate: (view: ClusterView) => (missingMarks(view, pod, mark).length === 0 ? true : undefined),
    withinMs: deliveredWithinMs,
  };
  try {
    await observation.until(heard, signal);
    return met(name, 'a change of a Pod and one of an EndpointSlice arrived');
  } catch {
    signal.throwIfAborted();
    const missing = missingMarks(observation.view, pod, mark).join(' and ');
    return unmet(name, `a change did not arrive within ${deliveredWithinMs / 1000} s on the watch of ${missing}`);
  }
}

/**
 * A Service's labels are copied to its EndpointSlices by their controller (endpointslice, setEndpointSliceLabels): the
 * mark passes the way that endpoints do, and needs no right to write EndpointSlices.
 */
async function leaveMarks({ api, names, pod }: PreflightSubject, mark: string, signal: AbortSignal): Promise<void> {
  const { namespace, object } = names;
  const marked = { [markKey]: mark };
  const annotated = { namespace, name: pod, body: { metadata: { annotations: marked } } };
  const labelled = { namespace, name: object, body: { metadata: { labels: marked } } };
  await api.repeatable(
    `annotate Pod ${pod}`,
    (options) => api.core.patchNamespacedPod(annotated, asMergePatch(options)),
    signal,
  );
  await api.repeatable(
    `label Service ${object}`,
    (options) => api.core.patchNamespacedService(labelled, asMergePatch(options)),
    signal,
  );
}

const missingMarks = ({ pods, slices }: ClusterView, pod: string, mark: string): readonly string[] => [
  ...(pods.get(pod)?.annotations[markKey] === mark ? [] : ['pods']),
  ...([...slices.values()].some(({ labels }) => labels[markKey] === mark) ? [] : ['endpointslices']),
];

async function proxyMode(subject: PreflightSubject, signal: AbortSignal): Promise<PreflightResult> {
  const name = 'proxy-mode-as-requested';
  const { requestedProxyMode: requested, lookAtDataPlane, node } = subject;
  if (requested === undefined) return { name, status: 'not-applicable', detail: 'no proxy mode was asked for' };
  try {
    return { name, ...proxyModes.get(requested).verify(await lookAtDataPlane(node, signal)) };
  } catch (error) {
    signal.throwIfAborted();
    return { name, status: 'unverifiable', detail: reasonOf(error) };
  }
}

function behavior(spec: WorkloadSpec, started: ProbeStart): PreflightResult {
  const name = 'probe-behavior-as-requested';
  const detail = `the probe runs ${started.behavior} with ${started.drainSeconds} s of drain`;
  const same = started.behavior === spec.behavior && started.drainSeconds === spec.drainSeconds;
  return same ? met(name, detail) : unmet(name, `${detail}; asked for ${spec.behavior} with ${spec.drainSeconds} s`);
}
