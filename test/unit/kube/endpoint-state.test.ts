import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpointOccurrences, endpointsByPod, parseSlice, type SliceState } from '../../../src/kube/endpoint-state.ts';

type Endpoint = SliceState['endpoints'][number];
const ready = (pod: string): Endpoint => ({ pod, ready: true, serving: true, terminating: false });
const draining = (pod: string): Endpoint => ({ pod, ready: false, serving: true, terminating: true });
const unready = (pod: string): Endpoint => ({ pod, ready: false, serving: false, terminating: true });
const slices = (...contents: readonly (readonly Endpoint[])[]) =>
  new Map(
    contents.map((endpoints, index) => {
      const name = `slice-${index}`;
      return [name, { name, resourceVersion: '1', labels: {}, endpoints }] as const;
    }),
  );

test('an endpoint that appears before it is ready tells nothing: its first "not ready" is the end of its service', () => {
  const appeared = slices([{ pod: 'a', ready: false, serving: false, terminating: false }]);
  expect(endpointOccurrences(slices([]), appeared)).toEqual([]);
  expect(endpointOccurrences(appeared, slices([ready('a')]))).toEqual([
    { name: 'endpoint-ready', payload: { pod: 'a' } },
  ]);
});

test('a draining endpoint tells when it is no longer ready, and again when it no longer serves', () => {
  expect(endpointOccurrences(slices([ready('a')]), slices([draining('a')]))).toEqual([
    { name: 'endpoint-not-ready', payload: { pod: 'a', serving: true, terminating: true } },
  ]);
  expect(endpointOccurrences(slices([draining('a')]), slices([draining('a')]))).toEqual([]);
  expect(endpointOccurrences(slices([draining('a')]), slices([unready('a')]))).toEqual([
    { name: 'endpoint-not-ready', payload: { pod: 'a', serving: false, terminating: true } },
  ]);
});

test('an endpoint is removed when no slice has it, whether it left its slice or the slice was deleted', () => {
  const removed = [{ name: 'endpoint-removed', payload: { pod: 'a' } }];
  expect(endpointOccurrences(slices([unready('a')]), slices([]))).toEqual(removed);
  expect(endpointOccurrences(slices([unready('a')]), slices())).toEqual(removed);
});

test('an endpoint that another slice still has was not removed', () => {
  expect(endpointOccurrences(slices([ready('a')], [ready('a')]), slices([ready('a')], []))).toEqual([]);
});

test('a pod of two address families is ready while it is so in one slice', () => {
  expect(endpointsByPod(slices([unready('a')], [ready('a')])).get('a')?.ready).toBe(true);
  expect(endpointsByPod(slices([ready('a')], [unready('a')])).get('a')?.ready).toBe(true);
});

test('a condition that was never told stays unknown, but readiness counts as given', () => {
  const slice = {
    metadata: { name: 's', resourceVersion: '1' },
    endpoints: [
      { addresses: ['10.0.0.1'], targetRef: { kind: 'Pod', name: 'a' } },
      { addresses: ['10.0.0.2'], targetRef: { kind: 'Node', name: 'n' } },
      { addresses: ['10.0.0.3'] },
    ],
  };
  expect(parseSlice(slice).endpoints).toEqual([{ pod: 'a', ready: true, serving: null, terminating: null }]);
  expect(parseSlice({ metadata: slice.metadata, endpoints: null }).endpoints).toEqual([]);
});

test('whatever steps were seen, the events lead to the endpoints that the last state shows', () => {
  const endpoint = fc.record({
    pod: fc.constantFrom('a', 'b'),
    ready: fc.boolean(),
    serving: fc.boolean(),
    terminating: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.array(fc.array(endpoint)), { minLength: 1 }), (walk) => {
      const isReady = new Map<string, boolean>();
      let previous = slices();
      for (const next of walk.map((contents) => slices(...contents))) {
        for (const { name, payload } of endpointOccurrences(previous, next)) {
          if (!('pod' in payload)) continue;
          if (name === 'endpoint-removed') isReady.delete(payload.pod);
          else isReady.set(payload.pod, name === 'endpoint-ready');
        }
        previous = next;
      }
      const shown = [...endpointsByPod(previous)].filter(([, each]) => each.ready).map(([pod]) => pod);
      expect(
        [...isReady]
          .filter(([, each]) => each)
          .map(([pod]) => pod)
          .toSorted(),
      ).toEqual(shown.toSorted());
    }),
  );
});
