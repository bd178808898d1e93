import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePod, podOccurrences, type PodState } from '../../../src/kube/pod-state.ts';

const pod = (name: string, change: Partial<PodState> = {}): PodState => ({
  name,
  resourceVersion: '1',
  phase: 'Running',
  node: 'worker',
  hostIp: '172.18.0.2',
  podIp: '10.244.1.2',
  ready: false,
  terminating: false,
  unschedulable: null,
  containerRunning: true,
  waiting: null,
  restarts: 0,
  terminated: null,
  imageId: null,
  containerId: null,
  annotations: {},
  ...change,
});
const collection = (...pods: readonly PodState[]) => new Map(pods.map((state) => [state.name, state]));
const end = (exitCode: number, containerId: string) => ({ containerId, exitCode, signal: null, reason: 'Error' });
const names = (...steps: Parameters<typeof podOccurrences>) => podOccurrences(...steps).map(({ name }) => name);

test('a pod that appears before it is ready tells nothing', () => {
  expect(podOccurrences(collection(), collection(pod('a')))).toEqual([]);
});

test('readiness is told when it changes, and only then', () => {
  const [down, up] = [collection(pod('a')), collection(pod('a', { ready: true }))];
  expect(names(down, up)).toEqual(['pod-ready']);
  expect(names(up, up)).toEqual([]);
  expect(names(up, down)).toEqual(['pod-not-ready']);
});

test('everything that one step hides is told, the end of the container with it', () => {
  const before = collection(pod('a', { ready: true }));
  const after = collection(pod('a', { terminating: true, terminated: end(137, 'c1') }));
  expect(podOccurrences(before, after)).toEqual([
    { name: 'pod-terminating', payload: { pod: 'a' } },
    { name: 'pod-not-ready', payload: { pod: 'a' } },
    { name: 'container-terminated', payload: { pod: 'a', exitCode: 137, signal: null, reason: 'Error' } },
  ]);
});

test("a container's end is told once, though it stays visible as the last state of a restarted one", () => {
  const ended = collection(pod('a', { terminated: end(1, 'c1'), containerRunning: false }));
  const restarted = collection(pod('a', { terminated: end(1, 'c1'), restarts: 1 }));
  const endedAgain = collection(pod('a', { terminated: end(1, 'c2'), restarts: 1 }));
  expect(names(ended, restarted)).toEqual([]);
  expect(names(restarted, endedAgain)).toEqual(['container-terminated']);
});

test('a pod that a new list lacks was deleted; of another one nothing is said', () => {
  const before = collection(pod('a', { ready: true }), pod('b', { ready: true }));
  expect(podOccurrences(before, collection(pod('b', { ready: true })))).toEqual([
    { name: 'pod-deleted', payload: { pod: 'a' } },
  ]);
});

test('whatever steps were seen, the events lead to the readiness that the last state shows', () => {
  const state = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.record({ ready: fc.boolean(), terminating: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(state, { minLength: 1 }), (states) => {
      const ready = new Set<string>();
      let previous = collection();
      for (const next of states.map((each) => collection(...Object.entries(each).map(([name, of]) => pod(name, of))))) {
        for (const { name, payload } of podOccurrences(previous, next)) {
          if (!('pod' in payload)) continue;
          if (name === 'pod-ready') ready.add(payload.pod);
          if (name === 'pod-not-ready' || name === 'pod-deleted') ready.delete(payload.pod);
        }
        previous = next;
      }
      const shown = [...previous.values()].filter((each) => each.ready).map(({ name }) => name);
      expect([...ready].toSorted()).toEqual(shown.toSorted());
    }),
  );
});

const running = {
  metadata: { name: 'a', resourceVersion: '7' },
  spec: { nodeName: 'worker' },
  status: {
    phase: 'Running',
    hostIP: '172.18.0.2',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [
      {
        name: 'probe',
        restartCount: 0,
        imageID: 'sha256:1',
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  },
};

test('a pod is read alike from the JSON of a watch and from the object of a list', () => {
  const deletion = '2026-01-01T00:00:30Z';
  const raw = { ...running, metadata: { ...running.metadata, deletionTimestamp: deletion } };
  const typed = { ...running, metadata: { ...running.metadata, deletionTimestamp: new Date(deletion) } };
  expect(parsePod(raw)).toEqual(parsePod(typed));
  expect(parsePod(raw)).toMatchObject({ ready: true, terminating: true, containerRunning: true, imageId: 'sha256:1' });
});

test('a pod without a status yet is pending, not malformed', () => {
  const bare = { metadata: { name: 'a', resourceVersion: '1' }, spec: {} };
  expect(parsePod(bare)).toMatchObject({
    ready: false,
    terminating: false,
    node: null,
    waiting: null,
    terminated: null,
  });
  expect(() => parsePod({ kind: 'Status' })).toThrow();
});

test("only the probe's container counts, not a sidecar that was injected", () => {
  const sidecar = { name: 'proxy', restartCount: 3, state: { terminated: { exitCode: 1 } } };
  const injected = { ...running, status: { ...running.status, containerStatuses: [sidecar] } };
  expect(parsePod(injected)).toMatchObject({ restarts: 0, terminated: null, containerRunning: false });
});

test('a container is known by the identifier that its runtime knows, while it runs and when it has ended', () => {
  const status = (containerStatuses: readonly object[]) =>
    parsePod({ metadata: { name: 'probe', resourceVersion: '1' }, spec: {}, status: { containerStatuses } });
  const container = { name: 'probe', restartCount: 0, containerID: 'containerd://abc' };
  expect(status([{ ...container, state: { running: {} } }]).containerId).toBe('abc');
  const terminated = { exitCode: 0, containerID: 'containerd://abc' };
  expect(status([{ ...container, state: { terminated } }]).terminated?.containerId).toBe('abc');
  expect(status([{ ...container, containerID: '' }]).containerId).toBeNull();
  expect(status([]).containerId).toBeNull();
});
