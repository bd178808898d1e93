import { expect, test } from 'vitest';
import { missedPodEvents } from '../../../src/kube/missed-events.ts';
import { parsePod, podOccurrences } from '../../../src/kube/pod-state.ts';

const podWith = ({ terminating = false, terminated }: { terminating?: boolean; terminated?: object }) =>
  parsePod({
    metadata: { name: 'a', resourceVersion: '1', ...(terminating && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: { nodeName: 'worker' },
    status: {
      conditions: [{ type: 'Ready', status: terminated === undefined ? 'True' : 'False' }],
      containerStatuses: [
        { name: 'probe', restartCount: 0, state: terminated === undefined ? { running: {} } : { terminated } },
      ],
    },
  });
const eventsOf = (...[before, after]: readonly [ReturnType<typeof podWith>, ReturnType<typeof podWith>]) =>
  podOccurrences(new Map([['a', before]]), new Map([['a', after]])).map(({ name }) => name);

test('an exit code that the kubelet filled in for a container it lost is no observed end', () => {
  const [running, lost] = [
    podWith({ terminating: true }),
    podWith({ terminating: true, terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } }),
  ];
  expect(eventsOf(running, lost)).not.toContain('container-terminated');
  expect(missedPodEvents(running, lost, undefined)).toEqual({
    'container-terminated': expect.stringMatching(/ContainerStatusUnknown.*137 was filled in/) as string,
  });
});

test('a container that was killed for its memory did end so: the reason stays with its exit code', () => {
  const killed = podWith({ terminated: { exitCode: 137, reason: 'OOMKilled' } });
  const [, end] = podOccurrences(new Map([['a', podWith({})]]), new Map([['a', killed]]));
  expect(end).toMatchObject({ name: 'container-terminated', payload: { exitCode: 137, reason: 'OOMKilled' } });
  expect(missedPodEvents(podWith({}), killed, undefined)).toEqual({});
});

test('a pod that was gone when its watch came back took with it what was not told before', () => {
  const reason = expect.stringMatching(/interrupted \(410: too old\)/) as string;
  expect(missedPodEvents(podWith({}), undefined, '410: too old')).toEqual({
    'container-terminated': reason,
    'pod-terminating': reason,
    'pod-not-ready': reason,
  });
  const ended = podWith({ terminating: true, terminated: { exitCode: 0 } });
  expect(missedPodEvents(ended, undefined, '410: too old')).toEqual({});
});

test('a pod that went while its watch was open, or that is still there, misses nothing', () => {
  expect(missedPodEvents(podWith({}), undefined, undefined)).toEqual({});
  expect(missedPodEvents(podWith({}), podWith({ terminating: true }), '410: too old')).toEqual({});
});
