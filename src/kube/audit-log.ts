import { z } from 'zod';
import type { Commit, CommittedName, Moment } from '../domain/evidence.ts';
import { wallNsOf, type WallClockMoments } from '../timeline/wall-clock.ts';
import { endpointOccurrences, parseSlice, type SliceState } from './endpoint-state.ts';
import type { Occurrence } from './occurrence.ts';
import { parsePod, podOccurrences, type PodState } from './pod-state.ts';

const metadata = z.looseObject({ resourceVersion: z.string().regex(/^\d+$/).optional() });
const objectForm = z.looseObject({ kind: z.string(), metadata: metadata.nullish() });

/** The parts that are read of an audit event (audit.k8s.io/v1). */
const auditForm = z.object({
  stage: z.literal('ResponseComplete'),
  verb: z.string(),
  user: z.object({ username: z.string() }),
  objectRef: z.object({
    resource: z.string(),
    subresource: z.string().optional(),
    namespace: z.string().optional(),
    name: z.string().optional(),
  }),
  responseStatus: z.object({ code: z.int().min(200).max(299) }),
  requestReceivedTimestamp: z.iso.datetime(),
  stageTimestamp: z.iso.datetime(),
  requestObject: z.looseObject({ gracePeriodSeconds: z.number().nullish() }).optional(),
  responseObject: objectForm.optional(),
});

type AuditEvent = z.infer<typeof auditForm>;

const committed: Readonly<Record<CommittedName, true>> = {
  'pod-terminating': true,
  'pod-ready': true,
  'pod-not-ready': true,
  'container-terminated': true,
  'pod-deleted': true,
  'endpoint-ready': true,
  'endpoint-not-ready': true,
  'endpoint-removed': true,
};

/**
 * What the writes of an API server's audit log made true in one namespace, in the order in which they were made. The log
 * has to reach back to before the pods were made; what is not of the form is left out.
 *
 * A commit lies between the receipt of its request and the end of its answer. Its order among others is that of resource
 * versions, which the store counts up for all objects alike.
 */
export function commitsIn(log: string, namespace: string, moments: WallClockMoments): readonly Commit[] {
  let pods: ReadonlyMap<string, PodState> = new Map();
  let slices: ReadonlyMap<string, SliceState> = new Map();
  return inOrder(writesIn(log, namespace)).flatMap((write) => {
    const [podsBefore, slicesBefore] = [pods, slices];
    pods = podsAfter(write, pods);
    slices = slicesAfter(write, slices);
    const occurrences = [...podOccurrences(podsBefore, pods), ...endpointOccurrences(slicesBefore, slices)];
    const at = moments(wallNsOf(write.requestReceivedTimestamp), wallNsOf(write.stageTimestamp));
    return occurrences.flatMap((occurrence) => commitOf(occurrence, write.user.username, at));
  });
}

function commitOf(occurrence: Occurrence, by: string, at: Moment): readonly Commit[] {
  return isCommitted(occurrence) ? [{ ...occurrence, by, at }] : [];
}

const isCommitted = (occurrence: Occurrence): occurrence is Extract<Occurrence, { name: CommittedName }> =>
  occurrence.name in committed;

function writesIn(log: string, namespace: string): readonly AuditEvent[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes(`"${namespace}"`)) return [];
    const event = parseEvent(line);
    return event?.objectRef.namespace === namespace ? [event] : [];
  });
}

function parseEvent(line: string): AuditEvent | undefined {
  try {
    return auditForm.safeParse(JSON.parse(line)).data;
  } catch {
    // the last line may be half written
    return undefined;
  }
}

/** A write without a version of its own, such as an eviction, comes after what had been answered before it. */
function inOrder(writes: readonly AuditEvent[]): readonly AuditEvent[] {
  let latest = 0n;
  const keyed = writes.map((write) => {
    const own = write.responseObject?.metadata?.resourceVersion;
    const version = own === undefined ? latest : BigInt(own);
    if (version > latest) latest = version;
    return { write, version };
  });
  return keyed
    .toSorted((a, b) => (a.version < b.version ? -1 : a.version > b.version ? 1 : 0))
    .map(({ write }) => write);
}

function podsAfter(write: AuditEvent, pods: ReadonlyMap<string, PodState>): ReadonlyMap<string, PodState> {
  const { objectRef, responseObject } = write;
  if (objectRef.resource !== 'pods') return pods;
  const after = new Map(pods);
  if (objectRef.subresource === 'eviction') {
    // the API server deletes an evicted pod itself, and writes no other event of that
    const pod = after.get(objectRef.name ?? '');
    if (pod !== undefined) after.set(pod.name, { ...pod, terminating: true });
    return after;
  }
  if (responseObject?.kind !== 'Pod') return pods;
  const pod = parsePod(responseObject);
  // without a grace period the object goes at once: so the kubelet ends what it has stopped
  if (write.verb === 'delete' && write.requestObject?.gracePeriodSeconds === 0) after.delete(pod.name);
  else after.set(pod.name, pod);
  return after;
}

function slicesAfter(write: AuditEvent, slices: ReadonlyMap<string, SliceState>): ReadonlyMap<string, SliceState> {
  const { objectRef, responseObject } = write;
  if (objectRef.resource !== 'endpointslices' || responseObject?.kind !== 'EndpointSlice') return slices;
  const slice = parseSlice(responseObject);
  return new Map(slices).set(slice.name, slice);
}
