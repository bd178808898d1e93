import { harnessError } from '../domain/errors.ts';
import type { EventSink } from '../domain/event.ts';
import type { ClockReading } from '../domain/time.ts';
import type { Unobservable } from '../domain/trial.ts';
import { readClock } from '../timeline/client-clock.ts';
import type { KubernetesApi } from './api.ts';
import { type SliceState, endpointOccurrences, endpointsByPod, parseSlice } from './endpoint-state.ts';
import { type WorkloadNames, selectorOf, sliceSelectorOf } from './manifests.ts';
import type { Occurrence } from './occurrence.ts';
import { missedPodEvents } from './missed-events.ts';
import { type PodState, parsePod, podOccurrences } from './pod-state.ts';
import { type Collection, ResourceWatch } from './resource-watch.ts';

/** What the watches have told so far. */
export interface ClusterView {
  readonly pods: Collection<PodState>;
  readonly slices: Collection<SliceState>;
  /** Why a resource's watch is not open right now, by resource. */
  readonly interruptions: ReadonlyMap<string, string>;
}

/** A condition on the view that is waited for. */
export interface Awaited<T> {
  /** A sentence that should become true, for the error. */
  readonly what: string;
  /** Defined once it is; may throw when it never will be. `waitedMs` counts from the start of waiting. */
  readonly evaluate: (view: ClusterView, waitedMs: number) => T | undefined;
  readonly withinMs: number;
}

/** How often a condition that depends on the time waited is looked at again, though nothing changed. */
const reconsiderMs = 1000;

/** Watches one workload's pods and EndpointSlices, and appends what happens to them as events. */
export class Observation {
  readonly #sink: EventSink;
  readonly #watches: readonly { start(signal: AbortSignal): Promise<void>; stop(): Promise<void> }[];
  readonly #listeners = new Set<() => void>();
  readonly #missed = new Map<string, Unobservable>();
  #view: ClusterView = { pods: new Map(), slices: new Map(), interruptions: new Map() };

  constructor(api: KubernetesApi, names: WorkloadNames, sink: EventSink) {
    this.#sink = sink;
    const { namespace } = names;
    const pods = { namespace, labelSelector: selectorOf(names) };
    const slices = { namespace, labelSelector: sliceSelectorOf(names) };
    this.#watches = [
      new ResourceWatch<PodState>({
        ...this.#common(api, 'pods', pods.labelSelector),
        path: `/api/v1/namespaces/${namespace}/pods`,
        list: (signal) => listed(api, 'list Pods', (options) => api.core.listNamespacedPod(pods, options), signal),
        parse: parsePod,
        onChange: (previous, next, reading) => {
          this.#noteMissed(previous, next);
          this.#advance({ ...this.#view, pods: next }, podOccurrences(previous, next), reading);
        },
      }),
      new ResourceWatch<SliceState>({
        ...this.#common(api, 'endpointslices', slices.labelSelector),
        path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`,
        list: (signal) =>
          listed(
            api,
            'list EndpointSlices',
            (options) => api.discovery.listNamespacedEndpointSlice(slices, options),
            signal,
          ),
        parse: parseSlice,
        onChange: (previous, next, reading) => {
          this.#advance({ ...this.#view, slices: next }, endpointOccurrences(previous, next), reading);
        },
      }),
    ];
  }

  /** Events of a pod that were missed for good, with the reason; what a later state makes up for is not among them. */
  missedOf(pod: string): Unobservable {
    return this.#missed.get(pod) ?? {};
  }

  get view(): ClusterView {
    return this.#view;
  }

  /** Resolves once both watches are open. @throws {ActionableError} when one can't be. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#watches.map((watch) => watch.start(signal)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watches.map((watch) => watch.stop()));
  }

  /**
   * Resolves with the first defined result of `evaluate`, which is asked at each change that the watches tell of.
   * @throws {ActionableError} of kind `harness` when it takes too long, and whatever `evaluate` throws
   */
  async until<T>({ what, evaluate, withinMs }: Awaited<T>, signal: AbortSignal): Promise<T> {
    const startedNs = readClock().monotonicNs;
    return new Promise<T>((resolve, reject) => {
      const settle = (conclude: () => void) => {
        clearInterval(timer);
        this.#listeners.delete(consider);
        signal.removeEventListener('abort', consider);
        conclude();
      };
      const consider = () => {
        try {
          signal.throwIfAborted();
          const waitedMs = Number(readClock().monotonicNs - startedNs) / 1e6;
          const result = evaluate(this.#view, waitedMs);
          if (result === undefined && waitedMs > withinMs) throw notInTime(what, withinMs, this.#view);
          if (result !== undefined)
            settle(() => {
              resolve(result);
            });
        } catch (error) {
          settle(() => {
            reject(error instanceof Error ? error : new Error(String(error)));
          });
        }
      };
      const timer = setInterval(consider, Math.min(reconsiderMs, withinMs));
      this.#listeners.add(consider);
      signal.addEventListener('abort', consider);
      consider();
    });
  }

  #common(api: KubernetesApi, resource: string, labelSelector: string) {
    return {
      config: api.config,
      resource,
      labelSelector,
      onInterrupted: (reason: string, reading: ClockReading) => {
        const interruptions = new Map(this.#view.interruptions).set(resource, reason);
        this.#advance(
          { ...this.#view, interruptions },
          [{ name: 'watch-interrupted', payload: { resource, reason } }],
          reading,
        );
      },
      onResumed: (gapMs: number, reading: ClockReading) => {
        const interruptions = new Map(this.#view.interruptions);
        interruptions.delete(resource);
        this.#advance(
          { ...this.#view, interruptions },
          [{ name: 'watch-resumed', payload: { resource, gapMs } }],
          reading,
        );
      },
    };
  }

  #noteMissed(previous: Collection<PodState>, next: Collection<PodState>): void {
    const interruption = this.#view.interruptions.get('pods');
    for (const pod of new Set([...previous.keys(), ...next.keys()])) {
      const missed = missedPodEvents(previous.get(pod), next.get(pod), interruption);
      this.#missed.set(pod, { ...missed, ...this.#missed.get(pod) });
    }
  }

  #advance(view: ClusterView, occurrences: readonly Occurrence[], reading: ClockReading): void {
    this.#view = view;
    for (const occurrence of occurrences) {
      this.#sink({ ...occurrence, source: 'kubernetes', stamp: 'at-receipt', reading });
    }
    for (const listener of [...this.#listeners]) listener();
  }
}

interface ListAnswer {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items: readonly unknown[];
}

async function listed(
  api: KubernetesApi,
  action: string,
  request: Parameters<typeof api.repeatable<ListAnswer>>[1],
  signal: AbortSignal,
) {
  const { metadata, items } = await api.repeatable(action, request, signal);
  // without a version a watch starts by telling the most recent state (api-concepts, "Semantics for watch")
  return { resourceVersion: metadata?.resourceVersion ?? '', items };
}

function notInTime(what: string, withinMs: number, view: ClusterView) {
  return harnessError({
    expected: `${what} within ${withinMs / 1000} s`,
    found: describeView(view),
    remedy: "look at the namespace's events, at its nodes' load and at their kubelets",
  });
}

/** The view in one line. */
export function describeView({ pods, slices, interruptions }: ClusterView): string {
  const endpoints = endpointsByPod(slices);
  const described = [...pods.values()].map((pod) => {
    const states = [
      pod.phase,
      pod.ready ? 'ready' : 'not ready',
      ...(pod.terminating ? ['terminating'] : []),
      ...(pod.waiting === null ? [] : [`container waiting: ${pod.waiting.reason}`]),
      ...(pod.unschedulable === null ? [] : [`not scheduled: ${pod.unschedulable}`]),
      endpoints.get(pod.name)?.ready === true ? 'endpoint ready' : 'endpoint not ready',
    ];
    return `pod ${pod.name} is ${states.join(', ')}`;
  });
  const interrupted = [...interruptions].map(
    ([resource, reason]) => `the watch of ${resource} is interrupted (${reason})`,
  );
  return [...(described.length === 0 ? ['no pod was seen'] : described), ...interrupted].join('; ');
}
