import { type ActionableError, harnessError, requirementError } from '../domain/errors.ts';
import type { PodState } from './pod-state.ts';

/** Reasons for which the kubelet keeps a container waiting that time alone seldom mends (kubelet, images/types.go). */
const imageReasons: ReadonlySet<string> = new Set([
  'ErrImageNeverPull',
  'ImagePullBackOff',
  'ImageInspectError',
  'InvalidImageName',
  'RegistryUnavailable',
]);
const containerReasons: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** A node may be about to become ready; one that stays full for this long does not. */
const schedulingPatienceMs = 30_000;

/** Why this pod will not become ready, as far as its state says; undefined while it may. Pure. */
export function podFailure(pod: PodState, image: string, waitedMs: number): ActionableError | undefined {
  const { waiting, terminated } = pod;
  if (waiting !== null && imageReasons.has(waiting.reason)) {
    return requirementError({
      expected: `the image ${image} is on the node, or can be pulled`,
      found: `${waiting.reason}: ${waiting.message}`,
      remedy: `load it into the cluster (kind load docker-image ${image}), or push it where the nodes can pull it`,
    });
  }
  if (terminated !== null) {
    return harnessError({
      expected: `the container of ${image} keeps running`,
      found: `it ended with exit code ${terminated.exitCode} (${terminated.reason ?? 'no reason'})`,
      remedy: 'see that the image is the probe (probe/PROTOCOL.md), built for the architecture of the node',
    });
  }
  if (waiting !== null && containerReasons.has(waiting.reason)) {
    return harnessError({
      expected: `a container of ${image} starts`,
      found: `${waiting.reason}: ${waiting.message}`,
      remedy: "look at the pod's events and at the node's container runtime",
    });
  }
  if (pod.unschedulable !== null && waitedMs > schedulingPatienceMs) {
    return requirementError({
      expected: 'a node takes the pod',
      found: pod.unschedulable,
      remedy: 'add a node, or free one: the pod asks for 50m CPU and 64 MiB, and tolerates no taints',
    });
  }
  return undefined;
}
