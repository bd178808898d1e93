import { randomBytes } from 'node:crypto';
import { AsyncDisposableStack } from '@whatwg-node/disposablestack';
import { harnessError } from '../domain/errors.ts';
import type { EventSink } from '../domain/event.ts';
import type { Workload, WorkloadSpec } from '../domain/workload.ts';
import type { ProbeStart } from '../timeline/probe-log.ts';
import { abortable } from './abortable.ts';
import type { KubernetesApi } from './api.ts';
import { createNamespace, createObjects } from './create-objects.ts';
import { endpointsByPod } from './endpoint-state.ts';
import { workloadNames } from './manifests.ts';
import { type ClusterView, Observation } from './observation.ts';
import type { DataPlaneLook } from './data-plane.ts';
import type { KubernetesClusterOptions } from './options.ts';
import { podFailure } from './pod-failure.ts';
import type { PodState } from './pod-state.ts';
import { type ProbeWatch, watchProbe } from './probe-watch.ts';
import { untilReachable } from './reach.ts';
import { unlessRefused } from './refused-pods.ts';
import { openServicePaths } from './service-paths.ts';
import { createWorkload } from './workload.ts';

/** For each of: the container runs; pod and endpoint are ready. */
const stageWithinMs = 120_000;
const startedWithinMs = 15_000;

/** A workload, and its pod as it was when it became ready. */
export interface Deployed {
  readonly workload: Workload;
  readonly pod: PodState;
}

/**
 * Deploys the probe and waits until a client can reach it. The watches are open before there is a pod, so that nothing
 * of its life is missed. What was made is removed again when any step fails.
 * @throws {ActionableError} that says which step failed, and why
 */
export async function deployWorkload(
  api: KubernetesApi,
  options: KubernetesClusterOptions & { readonly lookAtDataPlane: DataPlaneLook },
  spec: WorkloadSpec,
  sink: EventSink,
  signal: AbortSignal,
): Promise<Deployed> {
  signal.throwIfAborted();
  const names = workloadNames(spec, options.namespace, randomBytes(4).toString('hex'));
  await using undo = new AsyncDisposableStack();
  if (names.ownNamespace) await createNamespace(api, names, undo);
  const observation = new Observation(api, names, sink);
  undo.defer(() => observation.stop());
  await observation.start(signal);
  const ports = await createObjects(api, options, spec, names, undo);

  const candidate = (view: ClusterView, waitedMs: number): PodState | undefined => {
    const pod = [...view.pods.values()].find(({ terminating }) => !terminating);
    const failure = pod === undefined ? undefined : podFailure(pod, options.probeImage, waitedMs);
    if (failure !== undefined) throw failure;
    return pod;
  };
  const running = await unlessRefused(api, names, observation, signal, (limited) =>
    observation.until(
      {
        what: 'the container of the probe runs',
        evaluate: (view, waitedMs) => when(candidate(view, waitedMs), ({ containerRunning }) => containerRunning),
        withinMs: stageWithinMs,
      },
      limited,
    ),
  );
  const probe = watchProbe(api, { namespace: names.namespace, pod: running.name }, observation, sink);
  undo.defer(() => probe.stop());
  const pod = await observation.until(
    {
      what: 'the pod and its endpoint are ready',
      evaluate: (view, waitedMs) =>
        when(
          candidate(view, waitedMs),
          ({ ready, name }) => ready && endpointsByPod(view.slices).get(name)?.ready === true,
        ),
      withinMs: stageWithinMs,
    },
    signal,
  );
  const started = await startOf(probe, options.probeImage, signal);
  const endpoint = { address: options.nodeAddress ?? addressOf(pod), ...ports };
  const others = spec.dialled === true ? openServicePaths(api, options, names, nodeOf(pod), signal) : undefined;
  const [otherPaths] = await Promise.all([others, untilReachable(endpoint, signal)]);

  const { requestedProxyMode, lookAtDataPlane } = options;
  const subject = {
    ...{ api, observation, names, spec, started },
    ...{ pod: pod.name, node: nodeOf(pod), requestedProxyMode, lookAtDataPlane },
  };
  const acquired = undo.move();
  return {
    pod,
    workload: createWorkload(subject, { endpoint, otherPaths, pod }, probe, () => acquired.disposeAsync()),
  };
}

const when = (pod: PodState | undefined, isSo: (pod: PodState) => boolean): PodState | undefined =>
  pod !== undefined && isSo(pod) ? pod : undefined;

async function startOf(probe: ProbeWatch, image: string, signal: AbortSignal): Promise<ProbeStart> {
  const deadline = AbortSignal.timeout(startedWithinMs);
  try {
    return await abortable(probe.started, AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error;
    throw harnessError(
      {
        expected: 'the log of a ready probe begins with its "started" line',
        found: `none was read within ${startedWithinMs / 1000} s`,
        remedy: `see that ${image} speaks probe/PROTOCOL.md, and that \`kubectl logs\` works here`,
      },
      error,
    );
  }
}

/** The InternalIP of the pod's node: PodStatus.hostIP is taken from it, and needs no right to read nodes. */
const addressOf = (pod: PodState): string => pod.hostIp ?? unplaced(pod);
const nodeOf = (pod: PodState): string => pod.node ?? unplaced(pod);

function unplaced({ name }: PodState): never {
  throw harnessError({
    expected: `the status of ready pod ${name} names its node and the node's address`,
    found: 'it does not',
    remedy: "look at the node's kubelet",
  });
}
