import { z } from 'zod';
import type { Occurrence } from './occurrence.ts';
import type { Collection } from './resource-watch.ts';

/** The parts that are read of an EndpointSlice (discovery.k8s.io/v1), as JSON or as client-node's object. */
const sliceSchema = z.object({
  metadata: z.object({
    name: z.string(),
    resourceVersion: z.string(),
    labels: z.record(z.string(), z.string()).nullish(),
  }),
  endpoints: z
    .array(
      z.object({
        conditions: z
          .object({
            ready: z.boolean().nullish(),
            serving: z.boolean().nullish(),
            terminating: z.boolean().nullish(),
          })
          .nullish(),
        targetRef: z.object({ kind: z.string().nullish(), name: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});

/** The conditions of one pod's endpoint. */
export interface EndpointConditions {
  readonly ready: boolean;
  readonly serving: boolean | null;
  readonly terminating: boolean | null;
}

export interface SliceState {
  readonly name: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly endpoints: readonly (EndpointConditions & { readonly pod: string })[];
}

/** @throws {z.ZodError} when the object is no EndpointSlice */
export function parseSlice(object: unknown): SliceState {
  const { metadata, endpoints } = sliceSchema.parse(object);
  return {
    name: metadata.name,
    resourceVersion: metadata.resourceVersion,
    labels: metadata.labels ?? {},
    endpoints: (endpoints ?? []).flatMap(({ conditions, targetRef }) => {
      if (targetRef?.kind !== 'Pod' || !targetRef.name) return [];
      return {
        pod: targetRef.name,
        // "A nil value should be interpreted as true" (discovery/v1, EndpointConditions.ready)
        ready: conditions?.ready ?? true,
        serving: conditions?.serving ?? null,
        terminating: conditions?.terminating ?? null,
      };
    }),
  };
}

/**
 * The endpoints of a Service by pod, whichever slices carry them: a pod of two address families is in two slices, and
 * is ready while it is so in one.
 */
export function endpointsByPod(slices: Collection<SliceState>): ReadonlyMap<string, EndpointConditions> {
  const byPod = new Map<string, EndpointConditions>();
  for (const { endpoints } of slices.values()) {
    for (const { pod, ready, serving, terminating } of endpoints) {
      const other = byPod.get(pod);
      byPod.set(pod, {
        ready: ready || other?.ready === true,
        serving: eitherTrue(serving, other?.serving),
        terminating: eitherTrue(terminating, other?.terminating),
      });
    }
  }
  return byPod;
}

const eitherTrue = (one: boolean | null, other: boolean | null | undefined): boolean | null =>
  one === true || other === true ? true : (one ?? other ?? null);

/**
 * What happened to a Service's endpoints between two states of its slices. Pure. An endpoint that appears before it is
 * ready tells nothing; one that is no longer ready tells each change of its other conditions too.
 */
export function endpointOccurrences(
  previous: Collection<SliceState>,
  next: Collection<SliceState>,
): readonly Occurrence[] {
  const [before, after] = [endpointsByPod(previous), endpointsByPod(next)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((pod) =>
    stepOf(pod, before.get(pod), after.get(pod)),
  );
}

function stepOf(
  pod: string,
  before: EndpointConditions | undefined,
  after: EndpointConditions | undefined,
): readonly Occurrence[] {
  if (after === undefined) return [{ name: 'endpoint-removed', payload: { pod } }];
  const { ready, serving, terminating } = after;
  if (ready) return before?.ready === true ? [] : [{ name: 'endpoint-ready', payload: { pod } }];
  const told =
    before === undefined || (!before.ready && before.serving === serving && before.terminating === terminating);
  return told ? [] : [{ name: 'endpoint-not-ready', payload: { pod, serving, terminating } }];
}
