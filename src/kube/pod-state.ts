import { z } from 'zod';
import type { Collection } from './resource-watch.ts';
import type { Occurrence } from './occurrence.ts';
import { probeContainer } from './manifests.ts';

const terminatedSchema = z.object({
  exitCode: z.number(),
  signal: z.number().nullish(),
  reason: z.string().nullish(),
  containerID: z.string().nullish(),
});

const containerStatusSchema = z.object({
  name: z.string(),
  restartCount: z.number(),
  imageID: z.string().nullish(),
  containerID: z.string().nullish(),
  state: z
    .object({
      waiting: z.object({ reason: z.string().nullish(), message: z.string().nullish() }).nullish(),
      running: z.object({}).nullish(),
      terminated: terminatedSchema.nullish(),
    })
    .nullish(),
  lastState: z.object({ terminated: terminatedSchema.nullish() }).nullish(),
});

/** The parts that are read of a Pod, as the API server's JSON or client-node's object (core/v1). */
const podSchema = z.object({
  metadata: z.object({
    name: z.string(),
    resourceVersion: z.string(),
    deletionTimestamp: z.unknown().optional(),
    annotations: z.record(z.string(), z.string()).nullish(),
  }),
  spec: z.object({ nodeName: z.string().nullish() }),
  status: z
    .object({
      phase: z.string().nullish(),
      hostIP: z.string().nullish(),
      podIP: z.string().nullish(),
      conditions: z
        .array(
          z.object({
            type: z.string(),
            status: z.string(),
            reason: z.string().nullish(),
            message: z.string().nullish(),
          }),
        )
        .nullish(),
      containerStatuses: z.array(containerStatusSchema).nullish(),
    })
    .nullish(),
});

/** How the probe's container ended, and which instance of it. */
export interface TerminatedContainer {
  readonly containerId: string | null;
  readonly exitCode: number;
  readonly signal: number | null;
  readonly reason: string | null;
}

/** A pod as far as this project reads it. */
export interface PodState {
  readonly name: string;
  readonly resourceVersion: string;
  readonly phase: string;
  readonly node: string | null;
  /** The node's address: its InternalIP where it has one (core/v1, PodStatus.hostIP). */
  readonly hostIp: string | null;
  /** The pod's own address. */
  readonly podIp: string | null;
  readonly ready: boolean;
  readonly terminating: boolean;
  /** Why no node was found for the pod yet. */
  readonly unschedulable: string | null;
  readonly containerRunning: boolean;
  readonly waiting: { readonly reason: string; readonly message: string } | null;
  readonly restarts: number;
  readonly terminated: TerminatedContainer | null;
  readonly imageId: string | null;
  /** The runtime's identifier of the probe's container, the latest where it was restarted. */
  readonly containerId: string | null;
  readonly annotations: Readonly<Record<string, string>>;
}

/** @throws {z.ZodError} when the object is no Pod */
export function parsePod(object: unknown): PodState {
  const { metadata, spec, status } = podSchema.parse(object);
  const container = status?.containerStatuses?.find(({ name }) => name === probeContainer);
  const condition = (type: string) => status?.conditions?.find((candidate) => candidate.type === type);
  const scheduled = condition('PodScheduled');
  const { waiting, running, terminated: current } = container?.state ?? {};
  const terminated = current ?? container?.lastState?.terminated;
  return {
    name: metadata.name,
    resourceVersion: metadata.resourceVersion,
    phase: status?.phase ?? 'Unknown',
    node: spec.nodeName ?? null,
    hostIp: status?.hostIP ?? null,
    podIp: status?.podIP ?? null,
    ready: condition('Ready')?.status === 'True',
    terminating: (metadata.deletionTimestamp ?? null) !== null,
    unschedulable:
      scheduled?.status === 'False' ? (scheduled.message ?? scheduled.reason ?? 'no reason was given') : null,
    containerRunning: (running ?? null) !== null,
    waiting: waiting ? { reason: waiting.reason ?? 'no reason', message: waiting.message ?? '' } : null,
    restarts: container?.restartCount ?? 0,
    terminated: terminated
      ? {
          containerId: runtimeIdOf(terminated.containerID),
          exitCode: terminated.exitCode,
          signal: terminated.signal ?? null,
          reason: terminated.reason ?? null,
        }
      : null,
    imageId: container?.imageID === '' ? null : (container?.imageID ?? null),
    containerId: runtimeIdOf(container?.containerID),
    annotations: metadata.annotations ?? {},
  };
}

/** A ContainerID of core/v1 without the runtime's name before it (`containerd://`), which that runtime does not know. */
const runtimeIdOf = (containerId: string | null | undefined): string | null => {
  const id = containerId?.split('://').at(-1) ?? '';
  return id === '' ? null : id;
};

/**
 * Whether the container's end was made up: where the kubelet has no status of a container of a pod that ended, it
 * reports this reason with exit code 137 (kubelet, status_manager.go, TerminatePod), whatever it truly ended with.
 */
export const endWasLost = ({ terminated }: PodState): boolean => terminated?.reason === 'ContainerStatusUnknown';

/** What happened to the pods between two states of them. Pure. */
export function podOccurrences(previous: Collection<PodState>, next: Collection<PodState>): readonly Occurrence[] {
  const names = new Set([...previous.keys(), ...next.keys()]);
  return [...names].flatMap((name) => stepOf(name, previous.get(name), next.get(name)));
}

function stepOf(pod: string, before: PodState | undefined, after: PodState | undefined): readonly Occurrence[] {
  if (after === undefined) return [{ name: 'pod-deleted', payload: { pod } }];
  const occurrences: Occurrence[] = [];
  if (after.terminating && before?.terminating !== true) {
    occurrences.push({ name: 'pod-terminating', payload: { pod } });
  }
  if (after.ready && before?.ready !== true) occurrences.push({ name: 'pod-ready', payload: { pod } });
  if (!after.ready && before?.ready === true) occurrences.push({ name: 'pod-not-ready', payload: { pod } });
  if (after.terminated !== null && !endWasLost(after) && !sameEnd(before?.terminated, after.terminated)) {
    const { exitCode, signal, reason } = after.terminated;
    occurrences.push({ name: 'container-terminated', payload: { pod, exitCode, signal, reason } });
  }
  return occurrences;
}

/** A restarted container's end stays visible as its last state: the same end must not be told twice. */
const sameEnd = (before: TerminatedContainer | null | undefined, after: TerminatedContainer): boolean =>
  before?.containerId === after.containerId && before.exitCode === after.exitCode;
